import type { FieldPath } from './config-problem.ts';
import { OAUTH_SECRETS } from './server-transport.ts';
import type { OAuthSettings, ServerTransport } from './server-transport.ts';

/** A text of a transport, and the field it stands in. */
export interface TransportText {
  readonly path: FieldPath;
  readonly text: string;
}

/** Every text in which references count. */
export function referenceTexts(transport: ServerTransport): readonly TransportText[] {
  switch (transport.kind) {
    case 'stdio':
      return [...(transport.expandsArgs ? commandTexts(transport) : []), ...valuesOf('env', transport.env)];
    case 'http':
    case 'sse':
      return [
        { path: ['url'], text: transport.url },
        ...valuesOf('headers', transport.headers),
        ...valuesOf('oauth', oauthSecrets(transport.oauth)),
      ];
    case 'claudeai-proxy':
      return [{ path: ['url'], text: transport.url }];
    case 'sdk':
      return [];
  }
}

/** The secret values of a login, by field. */
export function oauthSecrets(oauth: OAuthSettings = {}): NamedTexts {
  const given = OAUTH_SECRETS.flatMap((field) => (oauth[field] === undefined ? [] : [[field, oauth[field]] as const]));
  return Object.fromEntries(given);
}

/** The command line of a server that has one. */
export function commandTexts(transport: ServerTransport): readonly TransportText[] {
  if (transport.kind !== 'stdio') return [];
  const args = transport.args.map((text, index) => ({ path: ['args', index], text }));
  return [{ path: ['command'], text: transport.command }, ...args];
}

/** The same transport with each text in which references count replaced. */
export function replaceTexts(transport: ServerTransport, replace: (text: string) => string): ServerTransport {
  switch (transport.kind) {
    case 'stdio': {
      const { expandsArgs, ...rest } = transport;
      const env = mapValues(transport.env, replace);
      if (!expandsArgs) return { ...rest, env };
      return { ...rest, env, command: replace(transport.command), args: transport.args.map(replace) };
    }
    case 'http':
    case 'sse': {
      const oauth = transport.oauth && replaceInOAuth(transport.oauth, replace);
      const texts = { url: replace(transport.url), headers: mapValues(transport.headers, replace) };
      return { ...transport, ...texts, ...(oauth && { oauth }) };
    }
    case 'claudeai-proxy':
      return { ...transport, url: replace(transport.url) };
    case 'sdk':
      return transport;
  }
}

type NamedTexts = Readonly<Record<string, string>>;

function valuesOf(group: string, texts: NamedTexts): readonly TransportText[] {
  return Object.entries(texts).map(([name, text]) => ({ path: [group, name], text }));
}

function mapValues(texts: NamedTexts, replace: (text: string) => string): NamedTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, replace(text)]));
}

function replaceInOAuth(oauth: OAuthSettings, replace: (text: string) => string): OAuthSettings {
  return { ...oauth, ...mapValues(oauthSecrets(oauth), replace) };
}
