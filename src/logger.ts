import type { Scrubber } from './redaction.ts';

export type LogFields = Readonly<Record<string, unknown>>;

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Where Fairlead tells what it does; any logging library fits behind it. */
export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

/** Says nothing: the library's default, because a library does not write to its user's terminal. */
export const silentLogger: Logger = { log: () => undefined };

/** A logger whose every line has passed the scrubber. */
export function scrubbedLogger(logger: Logger, scrubber: Scrubber): Logger {
  return {
    log(level, message, fields) {
      try {
        logger.log(level, scrubber.scrub(message), fields && scrubber.scrubValue(fields));
      } catch {
        // A logger that fails must not take a connection with it.
      }
    },
  };
}
