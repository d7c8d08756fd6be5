import { z } from 'zod';
import type { Trust } from '../call/tool-ref.ts';
import { DURATION_EXPECTED, DURATION_PATTERN } from './duration.ts';
import { isolationEntrySchema } from './isolation-entry.ts';
import type { IsolationEntry } from './isolation-entry.ts';
import type { ServerMode } from './server.ts';

/** What a file says about one server, under our own key names. */
export interface ServerEntry {
  readonly name?: string;
  readonly type?: TransportType;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'POST';
  readonly oauth?: OAuthEntry;
  readonly id?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly toolPrefix?: string;
  readonly enabledTools?: readonly string[];
  readonly disabledTools?: readonly string[];
  readonly timeout?: number | string;
  readonly timeoutMs?: number;
  readonly connectTimeout?: number | string;
  readonly connectTimeoutMs?: number;
  readonly policies?: readonly string[];
  readonly trust?: Trust;
  readonly mode?: ServerMode;
  readonly trackInvocations?: boolean;
  readonly pin?: boolean | readonly string[];
  readonly eager?: boolean;
  readonly isolation?: IsolationEntry;
  readonly sampling?: boolean;
  readonly elicitation?: boolean;
  readonly enabled?: boolean;
}

/** `streamable-http` is another word for `http`. */
type TransportType = 'stdio' | 'http' | 'streamable-http' | 'sse' | 'sdk' | 'claudeai-proxy';

export interface OAuthEntry {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly grant?: 'authorization_code' | 'client_credentials';
  readonly privateKey?: string;
  readonly signingAlgorithm?: string;
  readonly issuer?: string;
  /** A list, or the words of one text. */
  readonly scopes?: string | readonly string[];
  readonly callbackPort?: number;
  readonly authServerMetadataUrl?: string;
}

const text = z.string().min(1);
const words = z.array(text);
const quotedText = z.string({ error: 'text, in quotes where it looks like a number or true' });
const namedTexts = z.record(text, quotedText);
const flag = z.boolean();
const milliseconds = z.number({ error: 'a number of milliseconds' }).positive({ error: 'more than 0 milliseconds' });

/** A duration as a file may write it; what a bare number means depends on the file. */
export const durationSchema: z.ZodType<number | string> = z.union(
  [z.number().positive({ error: DURATION_EXPECTED }), z.string().regex(DURATION_PATTERN, { error: DURATION_EXPECTED })],
  { error: DURATION_EXPECTED },
);

const oauthShape = {
  clientId: text.exactOptional(),
  clientSecret: text.exactOptional(),
  grant: z.enum(['authorization_code', 'client_credentials']).exactOptional(),
  privateKey: text.exactOptional().describe('A PEM key with which we prove who we are, instead of a secret.'),
  signingAlgorithm: text.exactOptional().describe('Of the private key; ES256 unless said.'),
  issuer: text.exactOptional().describe('The only authorization server that may see these credentials.'),
  scopes: z.union([text, words], { error: 'a list of scopes' }).exactOptional(),
  callbackPort: z.int().min(1).max(65_535).exactOptional(),
  authServerMetadataUrl: text.exactOptional(),
};

const serverShape = {
  name: text.exactOptional().describe('For an sdk server: the name under which it is registered in this process.'),
  type: z.enum(['stdio', 'http', 'streamable-http', 'sse', 'sdk', 'claudeai-proxy']).exactOptional(),
  command: text.exactOptional().describe('What to start; alone it means a stdio server.'),
  args: z.array(quotedText).exactOptional(),
  cwd: text.exactOptional().describe("Working directory; a relative one is meant from this file's folder."),
  env: namedTexts.exactOptional().describe('Environment of the process; ${NAME} and ${NAME:-default} are resolved.'),
  url: text.exactOptional().describe('Where the server is; alone it means a Streamable HTTP server.'),
  headers: namedTexts.exactOptional().describe('Sent with every request; ${NAME} and ${NAME:-default} are resolved.'),
  method: z.literal('POST', { error: '"POST", because MCP over HTTP has only POST' }).exactOptional(),
  oauth: z.strictObject(oauthShape).exactOptional(),
  id: text.exactOptional().describe('For claudeai-proxy: which connector.'),
  displayName: text.exactOptional(),
  description: z.string().exactOptional(),
  toolPrefix: text.exactOptional(),
  enabledTools: words.exactOptional().describe("Only these of the server's own tools are offered."),
  disabledTools: words.exactOptional().describe('Never these, whatever is enabled.'),
  timeout: durationSchema.exactOptional().describe('How long a call may take; a number is seconds.'),
  timeoutMs: milliseconds.exactOptional(),
  connectTimeout: durationSchema.exactOptional().describe('How long connecting may take; a number is seconds.'),
  connectTimeoutMs: milliseconds.exactOptional(),
  policies: words.exactOptional().describe('Names from `policies`.'),
  trust: z.enum(['trusted', 'untrusted']).exactOptional().describe("Only in the user's own or the managed file."),
  mode: z.enum(['passthrough', 'bridged']).exactOptional(),
  trackInvocations: flag.exactOptional(),
  pin: z.union([flag, words], { error: 'true, false or a list of tools' }).exactOptional(),
  eager: flag.exactOptional(),
  isolation: isolationEntrySchema.exactOptional().describe('What a stdio server may touch of this machine.'),
  sampling: flag.exactOptional(),
  elicitation: flag.exactOptional(),
  enabled: flag.exactOptional(),
};

/** The shape of one server in `fairlead.yaml`; what its transport needs is checked apart. */
export const serverEntrySchema: z.ZodType<ServerEntry> = z.strictObject(serverShape);

export const SERVER_KEYS: readonly string[] = Object.keys(serverShape);

export const OAUTH_KEYS: readonly string[] = Object.keys(oauthShape);
