import type { LogFields, Logger, LogLevel } from '../logger.ts';
import { LOG_LEVELS } from './flags.ts';
import { oneLine } from './printable.ts';

/** A logger that writes one readable line for each thing at or above a level. */
export function createLineLogger(minimum: LogLevel, write: (line: string) => void): Logger {
  const lowest = LOG_LEVELS.indexOf(minimum);
  return {
    log(level, message, fields) {
      if (LOG_LEVELS.indexOf(level) >= lowest) write(formatLogLine(level, message, fields));
    },
  };
}

/** `warn [files] tool quarantined tool=x reason="…"`. */
export function formatLogLine(level: LogLevel, message: string, fields: LogFields = {}): string {
  const { server, ...rest } = fields as LogFields & { readonly server?: unknown };
  const place = typeof server === 'string' ? ` [${server}]` : '';
  const details = Object.entries(rest).map(([key, value]) => ` ${key}=${formatValue(value)}`);
  return oneLine(`${level}${place} ${message}${details.join('')}`);
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message);
  if (typeof value === 'string' && /^[\w./:@-]+$/.test(value)) return value;
  return JSON.stringify(value) ?? String(value);
}
