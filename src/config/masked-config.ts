import { findReferences, formatReference, replaceReferences } from './secret-references.ts';
import { isSecretName, replaceArgSecrets, replaceTextSecrets, replaceUrlSecrets } from './secret-shapes.ts';
import { oauthSecrets } from './transport-texts.ts';
import type { OAuthSettings, ServerTransport, TransportKind } from './server-transport.ts';

/** How a server is reached, as plain JSON in which no secret stands. */
export interface MaskedTransport {
  readonly type: TransportKind;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
  readonly name?: string;
  readonly id?: string;
}

/** What status shows of a transport: references as they are written, other values of env and headers as `***`. */
export function maskedTransport(transport: ServerTransport): MaskedTransport {
  switch (transport.kind) {
    case 'stdio':
      return {
        type: transport.kind,
        command: maskText(transport.command),
        args: maskArgs(transport.args),
        ...(transport.cwd !== undefined && { cwd: transport.cwd }),
        env: maskValues(transport.env),
      };
    case 'http':
    case 'sse':
      return {
        type: transport.kind,
        url: maskUrl(transport.url),
        headers: maskValues(transport.headers),
        ...(transport.oauth && { oauth: maskOAuth(transport.oauth) }),
      };
    case 'sdk':
      return { type: transport.kind, name: transport.name };
    case 'claudeai-proxy':
      return { type: transport.kind, url: maskUrl(transport.url), id: transport.id };
  }
}

/** How a server is reached in one short line, for messages. */
export function describeTransport(transport: ServerTransport): string {
  switch (transport.kind) {
    case 'stdio':
      return cut(`stdio: ${[maskText(transport.command), ...maskArgs(transport.args)].join(' ')}`);
    case 'sdk':
      return cut(`sdk: ${transport.name}`);
    case 'http':
    case 'sse':
    case 'claudeai-proxy':
      return cut(`${transport.kind}: ${maskUrl(transport.url).replace(/[?#].*$/s, '')}`);
  }
}

const MASK = '***';
const MAX_LINE = 120;
// With only these around its references a value says nothing by itself.
const HARMLESS = /^(?:\b(?:bearer|basic|token|digest|https?)\b|[\s:;,=/.@_-])*$/i;

function maskValues(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskValue(value)]));
}

function maskValue(value: string): string {
  const isReference = findReferences(value).length > 0 && HARMLESS.test(replaceReferences(value, () => ''));
  if (!isReference) return MASK;
  return replaceReferences(value, (reference) =>
    formatReference(reference.fallback === undefined ? reference : { ...reference, fallback: MASK }),
  );
}

function maskUrl(url: string): string {
  // A url that cannot be parsed cannot be taken apart either.
  if (findReferences(url).length === 0 && !URL.canParse(url)) return (/^[a-z]+:\/\//i.exec(url)?.[0] ?? '') + MASK;
  return replaceUrlSecrets(maskFallbacks(url), maskValue);
}

function maskArgs(args: readonly string[]): readonly string[] {
  return replaceArgSecrets(args.map(maskFallbacks), maskValue);
}

function maskText(text: string): string {
  return replaceTextSecrets(maskFallbacks(text), maskValue);
}

/** Default values are written in the file, and may be secrets like any other text there. */
function maskFallbacks(text: string): string {
  return replaceReferences(text, (reference) => {
    if (reference.fallback === undefined) return formatReference(reference);
    const fallback = isSecretName(reference.name) ? MASK : replaceTextSecrets(reference.fallback, maskValue);
    return formatReference({ ...reference, fallback });
  });
}

function maskOAuth(oauth: OAuthSettings): OAuthSettings {
  const masked = Object.entries(oauthSecrets(oauth)).map(([field, secret]) => [field, maskValue(secret)] as const);
  return { ...oauth, ...Object.fromEntries(masked) };
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
