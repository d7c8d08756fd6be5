import { scrubbedLogger as scrubbed } from '../../src/logger.ts';
import { noteSink } from './sink-watch.ts';

/** Stands in for the logger of a hub: whatever its user's logger is told, at every level, is searched. */
export const scrubbedLogger: typeof scrubbed = (logger, scrubber) =>
  scrubbed(
    {
      log(level, message, fields) {
        noteSink('logs', { message, fields });
        logger.log(level, message, fields);
      },
    },
    scrubber,
  );
