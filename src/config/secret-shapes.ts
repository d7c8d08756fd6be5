const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['key', 'keys', 'pwd', 'pass', 'auth', 'authorization', 'cookie', 'cookies', 'bearer', 'pat', 'jwt', 'dsn'],
  ...['sig', 'signature', 'creds'],
]);
const SECRET_PARTS = /token(?!s|iz)|secret|passw|passphrase|credential|api_?key|access_?key|private_?key/;
// `KEY_FILE` says where a secret is, `AUTH_MODE` how it is used.
const ABOUT_A_SECRET: ReadonlySet<string> = new Set([
  ...['file', 'path', 'dir', 'url', 'uri', 'host', 'port', 'type', 'mode', 'method', 'enabled', 'ttl', 'timeout'],
]);

// How private keys, signed tokens and the keys of well-known services begin.
const SECRET_SHAPES = new RegExp(
  [
    String.raw`\bsk-[\w-]{16,}`,
    String.raw`\bgh[oprsu]_\w{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bxox[abeoprs]-[\w-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bya29\.[\w-]{20,}`,
    String.raw`\bnpm_\w{30,}`,
    String.raw`\bhf_\w{20,}`,
    String.raw`\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*`,
  ].join('|'),
  'g',
);

/** What is put in the place of a secret that was found. */
export type Replace = (secret: string) => string;

/** Whether a variable, header or parameter of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  if (ABOUT_A_SECRET.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PARTS.test(words.join('_'));
}

/** Replaces what is secret in a url: its password, parameters named like secrets, and keys in its path. */
export function replaceUrlSecrets(url: string, replace: Replace): string {
  const withoutUser = url.replace(/(?<=^[a-z][a-z0-9+.-]*:\/\/)[^/?#]*(?=@)/i, (user) => replaceUser(user, replace));
  const withoutParameters = withoutUser.replaceAll(
    /(?<=[?&#;])([^=&#;?]+)=([^&#]*)/g,
    (whole, name: string, value: string) => (isSecretName(percentDecoded(name)) ? `${name}=${replace(value)}` : whole),
  );
  return replaceShapes(withoutParameters, replace);
}

/** Replaces what is secret in a command line: what follows `--token` or `API_KEY=`, and what looks like a key. */
export function replaceArgSecrets(args: readonly string[], replace: Replace): readonly string[] {
  return args.map((arg, index) => {
    const flag = args[index - 1] ?? '';
    const isValueOfFlag = /^--?[\w-]+$/.test(flag) && !arg.startsWith('-');
    return isValueOfFlag && isSecretName(flag) ? replace(arg) : replaceTextSecrets(arg, replace);
  });
}

/** Replaces what is secret in any text: a url's secrets, a value assigned to a secret name, what looks like a key. */
export function replaceTextSecrets(text: string, replace: Replace): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return replaceUrlSecrets(text, replace);
  const [, name, sign, value] = /^(-{0,2}[A-Za-z][\w.-]*)([=:]\s*)([^]+)$/.exec(text) ?? [];
  if (name === undefined || sign === undefined || value === undefined) return replaceShapes(text, replace);
  return `${name}${sign}${isSecretName(name) ? replace(value) : replaceTextSecrets(value, replace)}`;
}

/** A value, and for one such as `Bearer …` also what follows the scheme. */
export function withoutScheme(value: string): readonly string[] {
  const bare = value.replace(/^(?:bearer|basic|token|digest|apikey|bot)\s+(?=\S)/i, '');
  return bare === value ? [value] : [value, bare];
}

/** A text without its percent escapes, or as it is when they make no sense. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function replaceUser(user: string, replace: Replace): string {
  const colon = user.indexOf(':');
  // A user without a password is how tokens are put into urls.
  return colon === -1 ? replace(user) : `${user.slice(0, colon)}:${replace(user.slice(colon + 1))}`;
}

/** Replaces what looks like a key of a well-known service, a private key or a signed token. */
export function replaceShapes(text: string, replace: Replace): string {
  return text.replaceAll(SECRET_SHAPES, replace);
}
