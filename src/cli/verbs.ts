import type { RunVerb } from './command.ts';
import type { FlagName } from './flags.ts';

/** One verb of the command line: how it is used, what its help says, and where it is. */
export interface Verb {
  readonly name: string;
  /** What follows the verb in its usage line. */
  readonly usage: string;
  readonly summary: string;
  /** Further lines of its own help. */
  readonly details?: readonly string[];
  /** Names of the arguments it must have, then of those it may have. */
  readonly required?: readonly string[];
  readonly optional?: readonly string[];
  /** Whether more arguments may follow. */
  readonly hasMore?: boolean;
  readonly flags: readonly FlagName[];
  /** Imported only when the verb runs, so that help and usage errors stay quick. */
  readonly load: () => Promise<RunVerb>;
}

const KEY_VALUE_DETAILS = [
  'key=value gives text, unless the tool takes a number, a boolean, a list or a map;',
  'those are written as JSON. key:=JSON gives JSON whatever the tool takes.',
];

/** Every verb, in the order of the help. */
export const VERBS: readonly Verb[] = [
  {
    name: 'up',
    usage: '[--no-events] [--json]',
    summary: 'start every server and watch them until Ctrl-C; the default verb',
    details: ['With --json it prints one event per line. `fairlead events` shows them later.'],
    flags: ['no-events', 'json'],
    load: async () => (await import('./up.ts')).runUp,
  },
  {
    name: 'status',
    usage: '[--json] [--check]',
    summary: 'connect to every server and show its state',
    flags: ['json', 'check'],
    load: async () => (await import('./status.ts')).runStatus,
  },
  {
    name: 'tools',
    usage: '[SERVER] [--profile NAME] [--json]',
    summary: 'list the tools under the names that agents see',
    details: [
      'What was seen before is listed without starting a server; --no-cache starts them all.',
      'Tools that a policy refuses whatever their arguments are not listed.',
    ],
    optional: ['SERVER'],
    flags: ['profile', 'json'],
    load: async () => (await import('./tools.ts')).runTools,
  },
  {
    name: 'call',
    usage: `SERVER TOOL [--args JSON | key=value …] [--timeout TIME]
       [--profile NAME] [--yes] [--no-events] [--json]`,
    summary: 'call a tool, connecting to its server only',
    details: [
      'SERVER TOOL may also be one name as agents see it: mcp__files__read_file.',
      ...KEY_VALUE_DETAILS,
      'What a policy asks about is asked at the terminal; without one it is refused.',
      'The result goes to stdout; a failure goes to stderr and exits with 1.',
    ],
    required: ['SERVER'],
    hasMore: true,
    flags: ['args', 'timeout', 'profile', 'yes', 'no-events', 'json'],
    load: async () => (await import('./call.ts')).runCall,
  },
  {
    name: 'resources',
    usage: 'SERVER [--json]',
    summary: "list a server's resources and resource templates",
    required: ['SERVER'],
    flags: ['json'],
    load: async () => (await import('./resources.ts')).runResources,
  },
  {
    name: 'read',
    usage: 'SERVER URI [--out FILE] [--json]',
    summary: 'print a resource',
    details: ['Binary contents go to a file or a pipe as they are, never to a terminal.'],
    required: ['SERVER', 'URI'],
    flags: ['out', 'json'],
    load: async () => (await import('./read.ts')).runRead,
  },
  {
    name: 'prompts',
    usage: 'SERVER [--json]',
    summary: "list a server's prompts",
    required: ['SERVER'],
    flags: ['json'],
    load: async () => (await import('./prompts.ts')).runPrompts,
  },
  {
    name: 'prompt',
    usage: 'SERVER NAME [key=value …] [--json]',
    summary: 'print a prompt, filled in',
    required: ['SERVER', 'NAME'],
    hasMore: true,
    flags: ['json'],
    load: async () => (await import('./prompt.ts')).runPrompt,
  },
  {
    name: 'types',
    usage: '[SERVER …] [--out FILE]',
    summary: 'print TypeScript types of the tools, for calls by their names',
    details: [
      'With the file in your project, the compiler checks what calls take and return.',
      'What was seen before is used without starting a server; --no-cache starts them all.',
    ],
    hasMore: true,
    flags: ['out'],
    load: async () => (await import('./declare-tools.ts')).runTypes,
  },
  {
    name: 'tokens',
    usage: '[--json]',
    summary: 'show what the tools cost the model, per server and section',
    details: [
      'Counted with the o200k_base tokenizer; other models count a little differently.',
      'What was seen before is counted without starting a server; --no-cache starts them all.',
    ],
    flags: ['json'],
    load: async () => (await import('./tokens.ts')).runTokens,
  },
  {
    name: 'doctor',
    usage: '[--json]',
    summary: 'say what is wrong with each server and what to do',
    details: ['It exits with 1 when something is wrong.'],
    flags: ['json'],
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  {
    name: 'events',
    usage: '[--follow] [--limit N] [--json]',
    summary: 'show what `up` and `call` have done, oldest first',
    details: ['With --json it prints one event per line, as it was recorded.'],
    flags: ['follow', 'limit', 'json'],
    load: async () => (await import('./events.ts')).runEvents,
  },
  {
    name: 'cache',
    usage: '[clear [SERVER]] [--json]',
    summary: 'show what is remembered of servers, or forget it',
    optional: ['clear', 'SERVER'],
    flags: ['json'],
    load: async () => (await import('./cache.ts')).runCache,
  },
];

/** The verb that runs when none is named. */
export const DEFAULT_VERB = 'up';

export function findVerb(name: string): Verb | undefined {
  return VERBS.find((verb) => verb.name === name);
}
