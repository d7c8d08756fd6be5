import {
  isSecretName,
  percentDecoded,
  replaceArgSecrets,
  replaceTextSecrets,
  replaceUrlSecrets,
  withoutScheme,
} from './secret-shapes.ts';
import type { ServerTransport } from './server-transport.ts';
import { oauthSecrets } from './transport-texts.ts';

/** What is secret in a transport by its name or by its looks, references resolved. */
export function secretsOf(transport: ServerTransport): readonly string[] {
  const found = new Set<string>();
  const collect = (secret: string): string => {
    for (const form of withoutScheme(secret)) found.add(form).add(percentDecoded(form));
    return secret;
  };
  if (transport.kind === 'stdio') {
    collectNamed(transport.env, collect);
    replaceArgSecrets([transport.command, ...transport.args], collect);
  }
  if ('headers' in transport) collectNamed(transport.headers, collect);
  if ('url' in transport) replaceUrlSecrets(transport.url, collect);
  if ('oauth' in transport) Object.values(oauthSecrets(transport.oauth)).forEach(collect);
  found.delete('');
  return [...found];
}

function collectNamed(texts: Readonly<Record<string, string>>, collect: (secret: string) => string): void {
  for (const [name, text] of Object.entries(texts)) {
    if (isSecretName(name)) collect(text);
    else replaceTextSecrets(text, collect);
  }
}
