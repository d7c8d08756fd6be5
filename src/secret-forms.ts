/** Every spelling under which a secret may turn up in text. */
export function formsOf(secret: string): readonly string[] {
  const escaped = escapedForms(secret);
  const escapedTwice = escaped.map(toJson);
  // What is encoded is often a JSON text that holds the secret.
  const percent = [...[secret, toJson(secret)].flatMap(percentForms), ...urlForms(secret)];
  const forms = [
    secret,
    ...escaped,
    ...escapedTwice,
    // A message may quote another that holds a JSON text.
    ...escapedTwice.map(toJson),
    ...percent,
    // A url that is a parameter of another.
    ...percent.map(encodeURIComponent),
    ...[secret, toJson(secret)].flatMap((text) => [...hexForms(text), ...base64Forms(text)]),
  ];
  return [...new Set(forms)];
}

const WORD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';

// What each encoder leaves as it is beside these: RFC 3986, the same with paths, forms, encodeURIComponent, encodeURI, and urls' userinfo and query.
const UNENCODED = ['~', '~/', '*', "!~*'()", "!~*'();/?:@&=+$,#", "!$%&'()*+,~", '!$%&()*+,/:;=?@[\\]^`{|}~'].map(
  (more) => new Set(WORD + more),
);

const MIN_URL_FORM = 6;

function toJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What the encoders of JSON and of string literals in several languages make of a text. */
function escapedForms(text: string): readonly string[] {
  const json = toJson(text);
  const ascii = escapeUnicode(json, /[^\0-\u007F]/g);
  const literal = json.replaceAll('\\"', '"');
  return [
    json,
    ascii,
    ...[json, ascii].map((form) => form.replaceAll('/', '\\/')),
    escapeUnicode(json, /[&<>]/g),
    escapeUnicode(literal, /["&'+<>`]|[^\0-\u007F]/g).replaceAll(/(?<=\\u)[0-9a-f]{4}/g, (hex) => hex.toUpperCase()),
    literal,
    literal.replaceAll("'", "\\'"),
  ];
}

function escapeUnicode(text: string, which: RegExp): string {
  return text.replaceAll(which, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function percentForms(text: string): readonly string[] {
  // As characters, because each byte is kept or encoded by itself.
  const bytes = Array.from(Buffer.from(text, 'utf8'), (byte) => String.fromCharCode(byte));
  return UNENCODED.flatMap((unencoded) => {
    const upper = bytes.map((byte) => (unencoded.has(byte) ? byte : `%${toHex(byte).toUpperCase()}`));
    const lower = upper.map((part) => (part.length === 3 ? part.toLowerCase() : part));
    return [upper, lower].flatMap((parts) => [
      parts.join(''),
      parts.map((part) => (part === '%20' ? '+' : part)).join(''),
    ]);
  });
}

/** What becomes of a secret that is part of a url: it is read anew, and what separates its parts counts. */
function urlForms(text: string): readonly string[] {
  return ['http://host/-', 'http://host/?', 'http://host/#'].flatMap((before) => {
    const url = `${before}${text}`;
    const form = URL.canParse(url) ? new URL(url).href.slice(before.length) : '';
    // Line breaks are lost, and what is left may be too short to be told from ordinary text.
    return form.length < MIN_URL_FORM ? [] : [form];
  });
}

function toHex(byte: string): string {
  return byte.charCodeAt(0).toString(16).padStart(2, '0');
}

function hexForms(text: string): readonly string[] {
  const hex = Buffer.from(text, 'utf8').toString('hex');
  return [hex, hex.toUpperCase()];
}

/** Base64 of the bytes at each of the three alignments, without the characters that neighbouring bytes decide. */
function base64Forms(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 2, 3].flatMap((undecidedHead, shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const decidedLength = Math.floor((shifted.length * 8) / 6);
    const fragment = shifted.toString('base64').slice(undecidedHead, decidedLength);
    return [fragment, fragment.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
