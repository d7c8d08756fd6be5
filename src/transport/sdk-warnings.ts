/* oxlint-disable no-console -- the SDK writes there, and only there */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../logger.ts';

const MARK = Symbol.for('fairlead.sdk-warnings');
const PREFIX = '[mcp-sdk] ';

type Loggers = AsyncLocalStorage<Logger>;

/** A `console.warn` of ours; whoever replaces it may copy what is attached to it. */
type Warn = typeof console.warn & { [MARK]?: { readonly loggers: Loggers; readonly of: Warn } };

/** Runs what may make the SDK write to the console, and takes its words, which may quote a server, to our logger. */
export function withSdkWarnings<Result>(logger: Logger, run: () => Result): Result {
  return listen().run(logger, run);
}

/** The SDK knows no other way than `console.warn`; what is written there outside of our own work is left alone. */
function listen(): Loggers {
  const before: Warn = console.warn;
  const known = before[MARK];
  if (known?.of === before) return known.loggers;
  const loggers: Loggers = known?.loggers ?? new AsyncLocalStorage();
  const warn: Warn = (...words: readonly unknown[]): void => {
    const logger = loggers.getStore();
    const [text] = words;
    if (!logger || typeof text !== 'string' || !text.startsWith(PREFIX)) before.apply(console, [...words]);
    else logger.log('info', `the SDK says: ${text.slice(PREFIX.length)}`);
  };
  warn[MARK] = { loggers, of: warn };
  // Where the console is frozen, an assignment would throw.
  Reflect.set(console, 'warn', warn);
  return loggers;
}
