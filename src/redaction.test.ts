import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Scrubber } from './redaction.ts';
import { formsOf } from './secret-forms.ts';

function scrubberFor(...secrets: readonly string[]): Scrubber {
  const scrubber = new Scrubber();
  for (const secret of secrets) scrubber.add(secret);
  return scrubber;
}

const SECRET = 'tok/en+"quoted" \\é';
const scrubber = scrubberFor(SECRET);

describe('scrub', () => {
  test.each([
    ['raw', SECRET],
    ['JSON-escaped', JSON.stringify({ token: SECRET })],
    ['JSON-escaped twice', JSON.stringify(JSON.stringify({ token: SECRET }))],
    ['url-encoded', `https://example.com/?token=${encodeURIComponent(SECRET)}`],
    ['url-encoded in lower case', encodeURIComponent(SECRET).toLowerCase()],
    ['form-encoded', String(new URLSearchParams({ token: SECRET }))],
    ['base64', `Basic ${btoa(unescape(encodeURIComponent(`user:${SECRET}`)))}`],
    ['base64url', Buffer.from(`{"token":"${SECRET}"}`).toString('base64url')],
    ['hex', Buffer.from(SECRET).toString('hex')],
    ['hex in upper case', Buffer.from(SECRET).toString('hex').toUpperCase()],
  ])('masks a secret that is %s', (_, text) => {
    const scrubbed = scrubber.scrub(`before ${text} after`);
    expect(scrubbed).toMatch(/^before .*\*\*\*.* after$/s);
    expect(formsOf(SECRET).filter((form) => scrubbed.includes(form))).toEqual([]);
  });

  test('masks every occurrence and nothing else', () => {
    expect(scrubberFor('s3cr3t-value').scrub('a s3cr3t-value, s3cr3t-value; s3cr3t-valu')).toBe(
      'a ***, ***; s3cr3t-valu',
    );
  });

  test('takes no character of a secret for a pattern', () => {
    const secret = '.*(a|b)+[^c]$^{2}?\\d';
    expect(scrubberFor(secret).scrub(`x ${secret} aaaaaaaaaaaaaaaaaaaaa`)).toBe('x *** aaaaaaaaaaaaaaaaaaaaa');
  });

  test('masks the longer of two secrets of which one begins with the other', () => {
    const both = scrubberFor('password', 'password-of-production');
    expect(both.scrub('password-of-production password password-of-test')).toBe('*** *** ***-of-test');
  });

  test('leaves no end of a secret that overlaps another', () => {
    expect(scrubberFor('abcdefgh', 'efghijkl').scrub('-abcdefghijkl-')).toBe('-***-');
  });

  test('masks a secret that came with white space around it, as files and commands give them', () => {
    expect(scrubberFor('  s3cr3t-value\n').scrub('Bearer s3cr3t-value')).toBe('Bearer ***');
  });

  test('masks the long lines of a secret of several lines one by one', () => {
    const key = '-----BEGIN KEY-----\r\nMIIEvQIBADANBgkqhkiG\r\nzz\r\n-----END KEY-----';
    const known = scrubberFor(key);
    expect(known.scrub(`line: MIIEvQIBADANBgkqhkiG, zz`)).toBe('line: ***, zz');
    expect(known.scrub(`[${key}]`)).toBe('[***]');
  });

  test('works with secrets that are not well-formed text', () => {
    expect(scrubberFor('\uD800abcdef').scrub('x \uD800abcdef y')).toBe('x *** y');
  });

  test('masks a secret that was learnt later', () => {
    const learning = scrubberFor('first-secret');
    expect(learning.scrub('first-secret second-secret')).toBe('*** second-secret');
    learning.add('second-secret');
    expect(learning.scrub('first-secret second-secret')).toBe('*** ***');
  });

  test('leaves no form of any secret in any text', () => {
    // Without the mask's own character, which would make new occurrences.
    const unit = fc.constantFrom(...'abcXYZ019 /+="\'\\%&<>.-_~éß中😀\n');
    const secrets = fc.array(fc.string({ unit, minLength: 6, maxLength: 30 }), { minLength: 1, maxLength: 4 });
    const place = fc.record({ secret: fc.nat(), form: fc.nat(), before: fc.string({ unit }) });
    fc.assert(
      fc.property(secrets, fc.array(place, { maxLength: 4 }), fc.string({ unit }), (values, places, after) => {
        const known = values.filter((value) => value.trim().length >= 6);
        fc.pre(known.length > 0);
        const forms = known.map((value) => formsOf(value.trim()));
        const hidden = places.map(({ secret, form, before }) => {
          const own = forms[secret % forms.length] ?? [];
          return before + (own[form % own.length] ?? '');
        });
        const scrubbed = scrubberFor(...known).scrub(hidden.join('') + after);
        expect(forms.flat().filter((form) => scrubbed.includes(form))).toEqual([]);
      }),
    );
  });

  test('returns a text without secrets as it is', () => {
    const known = scrubberFor('QQQQQQ-secret', '\u0001\u0002\u0003\u0004\u0005\u0006');
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => known.scrub(text) === text));
    expect(new Scrubber().scrub('anything')).toBe('anything');
  });
});

describe('add', () => {
  test('refuses values that are too short to be told from ordinary text', () => {
    const empty = new Scrubber();
    expect(['', 'a', 'abcde', ' abcde ', ' '.repeat(20)].map((value) => empty.add(value))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(empty.scrub('a abcde                     z')).toBe('a abcde                     z');
  });

  test('takes values of six characters and more, as often as they come', () => {
    const known = new Scrubber();
    expect([known.add('abcdef'), known.add('abcdef'), known.add(' abcdef ')]).toEqual([true, true, true]);
    expect(known.scrub('abcdef')).toBe('***');
  });
});

describe('scrubValue', () => {
  const known = scrubberFor('s3cr3t-value');
  /** Whether the secret can be got out of a value by printing it. */
  const shows = (value: unknown): boolean =>
    inspect(value, { depth: 200, showHidden: true, maxArrayLength: Infinity, maxStringLength: Infinity }).includes(
      's3cr3t-value',
    );

  test('scrubs strings, keys and items at any depth, and keeps everything else', () => {
    const value = {
      text: 'is s3cr3t-value',
      's3cr3t-value': 1,
      list: ['s3cr3t-value', ['x s3cr3t-value'], 3, true, null, undefined],
      nested: { deeper: { header: 'Bearer s3cr3t-value' } },
    };
    expect(known.scrubValue(value)).toEqual({
      text: 'is ***',
      '***': 1,
      list: ['***', ['x ***'], 3, true, null, undefined],
      nested: { deeper: { header: 'Bearer ***' } },
    });
  });

  test('leaves the original as it was', () => {
    const value = { list: ['s3cr3t-value'] };
    known.scrubValue(value);
    expect(value).toEqual({ list: ['s3cr3t-value'] });
  });

  test('is the value itself while no secret is known', () => {
    const value = { any: 'thing' };
    expect(new Scrubber().scrubValue(value)).toBe(value);
  });

  test('masks a secret of digits that came as a number', () => {
    const digits = scrubberFor('12345678');
    expect(digits.scrubValue({ pin: 12_345_678, big: 912_345_678n, other: 1234 })).toEqual({
      pin: '***',
      big: '9***',
      other: 1234,
    });
  });

  test('scrubs an error, its own fields and all its causes, and leaves out the stack', () => {
    const root = Object.assign(new TypeError('no s3cr3t-value'), { code: 'E_s3cr3t-value' });
    const error = new Error('failed with s3cr3t-value', { cause: root });
    error.name = 's3cr3t-value';
    expect(known.scrubValue({ error })).toEqual({
      error: {
        name: '***',
        message: 'failed with ***',
        cause: { name: 'TypeError', message: 'no ***', code: 'E_***' },
      },
    });
  });

  test('scrubs maps, sets, urls and string objects', () => {
    const value = {
      map: new Map<unknown, unknown>([['s3cr3t-value', { a: 's3cr3t-value' }]]),
      set: new Set(['s3cr3t-value', 2]),
      url: new URL('https://user:s3cr3t-value@example.com/?k=s3cr3t-value'),
      // oxlint-disable-next-line unicorn/new-for-builtins, eslint/no-new-wrappers -- it is the object that is tested
      boxed: new String('s3cr3t-value'),
    };
    expect(known.scrubValue(value)).toEqual({
      map: new Map([['***', { a: '***' }]]),
      set: new Set(['***', 2]),
      url: 'https://user:***@example.com/?k=***',
      boxed: '***',
    });
  });

  test('keeps dates, and shows nothing of bytes and functions', () => {
    const date = new Date(0);
    const bytes = Buffer.from('s3cr3t-value');
    const value = {
      date,
      bytes,
      view: new DataView(new ArrayBuffer(4)),
      buffer: new ArrayBuffer(4),
      toJSON: () => 's3cr3t-value',
    };
    const scrubbed = known.scrubValue(value);
    expect(scrubbed).toEqual({ date, bytes: '***', view: '***', buffer: '***', toJSON: undefined });
    expect(JSON.stringify(scrubbed)).not.toContain('s3cr3t-value');
  });

  test('ends in a structure that contains itself', () => {
    const value: Record<string, unknown> = { text: 's3cr3t-value' };
    value['self'] = value;
    value['list'] = [value];
    const error = new Error('s3cr3t-value');
    error.cause = error;
    expect(known.scrubValue({ value, error })).toEqual({
      value: { text: '***', self: '[circular]', list: ['[circular]'] },
      error: { name: 'Error', message: '***', cause: '[circular]' },
    });
  });

  test('copies what is shared once, so that many ways to one place cost nothing', () => {
    let value: unknown = 's3cr3t-value';
    for (let level = 0; level < 60; level += 1) value = { left: value, right: value };
    const scrubbed = known.scrubValue(value) as { left: unknown; right: unknown };
    expect(scrubbed.left).toBe(scrubbed.right);
  });

  test.each([100, 100_000])('shows nothing of what is nested too deep to be looked at: %i levels', (levels) => {
    let value: unknown = 's3cr3t-value';
    for (let level = 0; level < levels; level += 1) value = [value];
    expect(shows(known.scrubValue(value))).toBe(false);
  });

  test('sets no prototype', () => {
    const value = JSON.parse('{"__proto__":{"text":"s3cr3t-value"}}') as object;
    const scrubbed = known.scrubValue(value);
    expect(Object.getPrototypeOf(scrubbed)).toBe(Object.prototype);
    expect(Object.entries(scrubbed)).toEqual([['__proto__', { text: '***' }]]);
  });

  test('shows no secret of any JSON value', () => {
    const text = fc.oneof(fc.string(), fc.constant('s3cr3t-value'), fc.constant('a s3cr3t-value b'));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.array(tie('tree')),
        fc.dictionary(text, tie('tree')),
      ),
    }));
    fc.assert(fc.property(tree, (value) => !shows(known.scrubValue(value))));
  });

  test('changes no JSON value without secrets', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(known.scrubValue(value)).toEqual(value);
      }),
    );
  });
});
