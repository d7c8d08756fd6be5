import { Watch } from './sightings.mjs';

/** Makes loggers as before, but whatever the logger behind one is told is searched, also what it is too quiet to write. */
export function watching(scrubbedLogger) {
  const watch = new Watch();
  return (logger, scrubber) => {
    const log = (level, message, fields) => {
      watch.search('logs of a command', { message, fields });
      logger.log(level, message, fields);
    };
    return scrubbedLogger({ log }, scrubber);
  };
}
