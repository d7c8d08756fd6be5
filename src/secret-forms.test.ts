import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formsOf } from './secret-forms.ts';

// Quotes, slashes, both kinds of brackets, everything that an encoder treats in its own way, and more than ASCII.
const AWKWARD = `p@ss "w0rd"\\/ +&=<>'!~*()?#%:;,$[]{}|^\` é中😀`;

const jsonOf = (text: string): string => JSON.stringify(text).slice(1, -1);
const lowerEscapes = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
const asciiOf = (json: string): string =>
  json.replaceAll(/[^\0-\u007F]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

function urlWith(secret: string): URL {
  const url = new URL('http://example.com/');
  url.password = secret;
  url.search = `?${secret}`;
  return url;
}

const URL_ENCODERS: Readonly<Record<string, (secret: string) => string>> = {
  'the path of a url': (secret) => new URL(`http://example.com/x/${secret}`).href.slice('http://example.com/x/'.length),
  'the fragment of a url': (secret) => new URL(`http://example.com/#${secret}`).hash.slice(1),
  'a url in another': (secret) => encodeURIComponent(new URL(`http://example.com/?${secret}`).href.slice(20)),
  'a parameter in a parameter': (secret) => encodeURIComponent(encodeURIComponent(secret)),
};

const ENCODERS: Readonly<Record<string, (secret: string) => string>> = {
  raw: (secret) => secret,
  'JSON once': jsonOf,
  'JSON twice': (secret) => jsonOf(jsonOf(secret)),
  'JSON three times': (secret) => jsonOf(jsonOf(jsonOf(secret))),
  'JSON in ASCII': (secret) => asciiOf(jsonOf(secret)),
  'JSON in ASCII, twice': (secret) => jsonOf(asciiOf(jsonOf(secret))),
  'JSON with escaped slashes': (secret) => asciiOf(jsonOf(secret)).replaceAll('/', '\\/'),
  'JSON safe for HTML': (secret) =>
    jsonOf(secret).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
  encodeURIComponent,
  'encodeURIComponent, lower case': (secret) => lowerEscapes(encodeURIComponent(secret)),
  encodeURI,
  'a form': (secret) => new URLSearchParams({ '': secret }).toString().slice(1),
  'a form, lower case': (secret) => lowerEscapes(new URLSearchParams({ '': secret }).toString().slice(1)),
  'RFC 3986': (secret) =>
    encodeURIComponent(secret).replaceAll(/[!*'()]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  'the password of a url': (secret) => urlWith(secret).password,
  'the query of a url': (secret) => urlWith(secret).search.slice(1),
  'JSON in a url': (secret) => encodeURIComponent(jsonOf(secret)),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'hex, upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
};

describe('the forms of a secret', () => {
  test.each(Object.keys(ENCODERS))('hold what %s makes of it', (name) => {
    expect(formsOf(AWKWARD)).toContain(ENCODERS[name]?.(AWKWARD));
  });

  test.each(Object.keys(URL_ENCODERS))('hold what becomes of it in %s', (name) => {
    for (const secret of [AWKWARD, 'a\\b/c\nd e?f', '/é/"quoted"/']) {
      expect(formsOf(secret)).toContain(URL_ENCODERS[name]?.(secret));
    }
  });

  test.each(Object.keys(ENCODERS))('hold what %s makes of any secret', (name) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 }), (secret) =>
        formsOf(secret).includes(ENCODERS[name]?.(secret) ?? ''),
      ),
    );
  });

  test('hold what this runtime prints of it', () => {
    const quotes = `it's "quoted" and \`quoted\`\\`;
    expect(formsOf(quotes)).toContain(inspect(quotes).slice(1, -1));
    expect(formsOf('say "yes"\n')).toContain(inspect('say "yes"\n').slice(1, -1));
  });

  test.each([0, 1, 2])('cover its base64 after %i other bytes, in both alphabets', (before) => {
    const neighbours = fc.uint8Array({ minLength: before, maxLength: before });
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 6 }),
        neighbours,
        fc.uint8Array({ maxLength: 3 }),
        (secret, head, tail) => {
          const bytes = Buffer.concat([head, Buffer.from(secret), tail]);
          const forms = formsOf(secret);
          expect(forms.some((form) => bytes.toString('base64').includes(form))).toBe(true);
          expect(forms.some((form) => bytes.toString('base64url').includes(form))).toBe(true);
        },
      ),
    );
  });

  test('are few for a secret of plain characters', () => {
    const forms = formsOf('abcdef0123456789');
    expect(forms).toEqual([
      'abcdef0123456789',
      '61626364656630313233343536373839',
      'YWJjZGVmMDEyMzQ1Njc4O',
      'FiY2RlZjAxMjM0NTY3OD',
      'hYmNkZWYwMTIzNDU2Nzg5',
    ]);
  });

  test('are never so short that they would occur by themselves', () => {
    expect(formsOf('\n\t\n\t\n\tx').every((form) => form.length >= 6)).toBe(true);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 6 }), (secret) =>
        formsOf(secret).every((form) => form.length >= 6),
      ),
    );
  });

  test('exist for text that is not well formed', () => {
    expect(formsOf('\uD800 half a pair')).toContain('\uD800 half a pair');
  });
});
