import type { ConnectionErrorFields } from '../errors.ts';
import { findReferences } from '../config/secret-references.ts';
import type { ServerStatus } from '../hub/server-status.ts';
import { programAdvice } from './program-advice.ts';

type Code = ConnectionErrorFields['code'];

/** What to do about a server that is not connected, most likely first. */
export function adviceFor(status: ServerStatus): readonly string[] {
  const { errorCode } = status;
  if (errorCode === undefined || !isKnown(errorCode)) return [];
  return ADVICE[errorCode](status);
}

const ADVICE: Readonly<Record<Code, (status: ServerStatus) => readonly string[]>> = {
  COMMAND_NOT_FOUND: ({ config }) => [
    programAdvice(config.command ?? ''),
    'A server sees the PATH that fairlead was started with; give the full path of the command if it is elsewhere.',
  ],
  SPAWN_FAILED: () => ['Check that the command is an executable file and that cwd exists.'],
  SECRET_MISSING: (status) => secretAdvice(status),
  SERVER_EXITED: (status) => [
    `Run it by hand to see all it says: ${commandLine(status)}`,
    'If it needs a variable, name it under env: a server sees little of your own environment.',
  ],
  CONNECT_TIMEOUT: (status) =>
    status.transport === 'stdio'
      ? [
          'A first start may have to download the server; start it once by hand, or raise connectTimeout.',
          `Check that it speaks MCP over stdin and stdout: ${commandLine(status)}`,
        ]
      : [`Check that ${place(status)} can be reached from here, or raise connectTimeout.`],
  CONNECTION_REFUSED: (status) => [
    `Nothing answers at ${place(status)}: start the server, and check the host and the port.`,
  ],
  CONNECT_FAILED: (status) => [
    status.transport === 'stdio'
      ? `Run it by hand to see what it says: ${commandLine(status)}`
      : `Check the url: ${place(status)}`,
  ],
  CONNECTION_LOST: () => ['The server went away and did not come back; look at its own log.'],
  AUTH_REQUIRED: (status) => [
    `${place(status)} wants to know who asks: set headers, such as Authorization: "Bearer \${TOKEN}".`,
    'If headers are set, the token is wrong, expired, or not allowed to do this.',
  ],
  NOT_MCP: (status) => [
    `Something answers at ${place(status)}, but not MCP: check the path, which is often /mcp or /sse.`,
    'A server of the older kind needs type: sse.',
  ],
  VERSION_UNSUPPORTED: () => ['Update the server, or fairlead: they have no version of the protocol in common.'],
  PROTOCOL_ERROR: () => ['The server breaks the protocol; report it to its author, and look for a newer version.'],
  LIST_FAILED: () => ['The server could not list its tools; look at what it wrote, and at its own log.'],
  NOT_CONNECTED: () => ['It was not connected; try again.'],
  UNAVAILABLE: () => ['It is not available now; try again later.'],
  OVERLOADED: () => ['The server refuses because it is asked too much; try again later.'],
  SERVER_DISABLED: () => ['It is switched off; set enabled: true to use it.'],
  SERVER_REMOVED: () => ['It was removed from the config.'],
  CALL_AMBIGUOUS: () => ['A request was sent and no answer came; check what the server did.'],
  ISOLATION_UNAVAILABLE: () => [
    'Set isolation: preferred to run it without a sandbox where there is none, or isolation: off, if you trust it.',
  ],
};

function isKnown(code: string): code is Code {
  return Object.hasOwn(ADVICE, code);
}

/** Which variables a server refers to without a default, as far as its error names them. */
function secretAdvice({ config, error = '' }: ServerStatus): readonly string[] {
  const texts = [
    config.url ?? '',
    config.command ?? '',
    ...(config.args ?? []),
    ...Object.values(config.env ?? {}),
    ...Object.values(config.headers ?? {}),
  ];
  const names = texts
    .flatMap(findReferences)
    .filter(({ fallback }) => fallback === undefined)
    .map(({ name }) => name);
  const missing = [...new Set(names)].filter((name) => error.includes(name));
  if (missing.length === 0) return ['Set the variable in the environment or in .env.'];
  return missing.map(
    (name) => `Set ${name}: run \`export ${name}=…\` before fairlead, or put the line ${name}=… into .env.`,
  );
}

function commandLine({ config }: ServerStatus): string {
  return [config.command ?? '', ...(config.args ?? [])]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word)))
    .join(' ');
}

/** As a shell reads it; variables stay, because it shall put them in. */
function quoted(word: string): string {
  return JSON.stringify(word).replaceAll(/`|\$(?!\{)/g, String.raw`\$&`);
}

function place({ config }: ServerStatus): string {
  return config.url ?? 'its url';
}
