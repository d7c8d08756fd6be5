import type { LogLevel } from '../logger.ts';

/** What a flag is, for the parser and for the help. */
export interface FlagSpec {
  readonly short?: string;
  /** What stands for its value in the help; a flag without one is a switch. */
  readonly value?: string;
  readonly about: string;
}

/** The flags of a command line, checked. */
export interface Flags {
  readonly json: boolean;
  readonly check: boolean;
  readonly noColor: boolean;
  readonly noCache: boolean;
  readonly noEvents: boolean;
  /** Everything that a policy asks about is allowed. */
  readonly yes: boolean;
  readonly follow: boolean;
  readonly trustProject: boolean;
  /** Warnings and errors unless said otherwise. */
  readonly logLevel?: LogLevel;
  readonly config?: string;
  readonly args?: string;
  readonly timeoutMs?: number;
  readonly out?: string;
  readonly profile?: string;
  readonly limit?: number;
}

export const LOG_LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

export type FlagName =
  | 'json'
  | 'check'
  | 'args'
  | 'timeout'
  | 'out'
  | 'yes'
  | 'profile'
  | 'no-events'
  | 'follow'
  | 'limit'
  | 'config'
  | 'log-level'
  | 'trust-project'
  | 'no-cache'
  | 'no-color'
  | 'help'
  | 'version';

/** Every flag by its name. */
export const FLAGS: Readonly<Record<FlagName, FlagSpec>> = {
  json: { about: 'print one JSON document on stdout and nothing else' },
  check: { about: 'exit with 1 unless every enabled server is connected' },
  args: { value: 'JSON', about: 'arguments as a JSON object; @FILE reads a file, - stdin' },
  timeout: { value: 'TIME', about: "how long the call may take: 30s, 500ms; else the server's" },
  out: { value: 'FILE', about: 'write into a file instead of stdout' },
  yes: { about: 'allow whatever a policy asks about' },
  profile: { value: 'NAME', about: "whose policies hold; else the profile 'default'" },
  'no-events': { about: 'write nothing into the log of events' },
  follow: { about: 'go on with what happens until Ctrl-C' },
  limit: { value: 'N', about: 'how many of the last events (default 50)' },
  config: { value: 'FILE', about: 'use this config file and no other' },
  'log-level': { value: 'LEVEL', about: `log: ${LOG_LEVELS.join(', ')} (default warn)` },
  'trust-project': { about: "use the project's config without asking (nothing asks yet)" },
  'no-cache': { about: 'neither use nor keep what is remembered of servers' },
  'no-color': { about: 'no colours, as with NO_COLOR=1' },
  help: { short: 'h', about: 'show help' },
  version: { short: 'v', about: 'show the version' },
};

/** Flags that every verb takes. */
export const GLOBAL_FLAGS: readonly FlagName[] = [
  'config',
  'log-level',
  'trust-project',
  'no-cache',
  'no-color',
  'help',
  'version',
];
