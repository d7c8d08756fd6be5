import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHost, formatRule, matchesRule, parseAuthority, parseHostRule } from './host-rule.ts';

describe('canonicalHost', () => {
  test.each([
    ['api.github.com', 'api.github.com'],
    ['API.GitHub.COM.', 'api.github.com'],
    ['exämple.com', 'xn--exmple-cua.com'],
    ['①.com', '1.com'],
    ['127.1', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0177.0.0.1.', '127.0.0.1'],
    ['[::1]', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
  ])('%s is %s', (text, host) => {
    expect(canonicalHost(text)).toBe(host);
  });

  test.each([
    ...['', '.', 'a..b', '.a', 'a b', 'a/b', 'a\\b', 'a?b', 'a#b', 'user@a', 'a%2eb', 'a\0.github.com', 'a\n', '*'],
    ...['a:b', '[a]', '[::1', '::1]', '1.2.3.4.5', 'fe80::1%eth0', 'x'.repeat(254), '[127.0.0.1]', 'a,b', 'a"b'],
  ])('%j is no host', (text) => {
    expect(canonicalHost(text)).toBeUndefined();
  });

  test('gives one spelling, which is its own', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const host = canonicalHost(text);
        if (host === undefined) return;
        expect(canonicalHost(host)).toBe(host);
        expect(canonicalHost(host.toUpperCase())).toBe(host);
        expect(host).toMatch(/^[^\s/@?#%\\]+$/);
      }),
    );
  });
});

describe('parseAuthority', () => {
  test.each([
    ['api.github.com:443', { host: 'api.github.com', port: 443 }],
    ['API.github.com.:443', { host: 'api.github.com', port: 443 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['0x7f.1:80', { host: '127.0.0.1', port: 80 }],
  ])('%s', (text, target) => {
    expect(parseAuthority(text)).toEqual(target);
  });

  test.each([
    ...['api.github.com', 'api.github.com:', ':443', 'a:0', 'a:65536', 'a:1:2', '::1:80', 'a:-1', 'a: 443'],
    ...['user@a:443', 'http://a:443', 'evil.com\0.github.com:443', 'a:443\r\nb:1', 'evil.com/.github.com:443'],
  ])('%j is none', (text) => {
    expect(parseAuthority(text)).toBeUndefined();
  });
});

describe('parseHostRule', () => {
  test.each([
    ['Api.GitHub.com.', { host: 'api.github.com', isWildcard: false }],
    ['*.github.com', { host: 'github.com', isWildcard: true }],
    ['localhost:8080', { host: 'localhost', isWildcard: false, port: 8080 }],
    ['*.github.com:443', { host: 'github.com', isWildcard: true, port: 443 }],
    ['::1', { host: '::1', isWildcard: false }],
    ['[::1]:80', { host: '::1', isWildcard: false, port: 80 }],
  ])('reads %s', (text, rule) => {
    expect(parseHostRule(text)).toEqual(rule);
    expect(parseHostRule(formatRule(rule))).toEqual(rule);
  });

  test.each([
    ['https://api.github.com', 'which is a url; write the host alone, such as api.github.com'],
    ['api.github.com/repos', 'which is a url'],
    ['*', 'which is every host; leave the network policy out'],
    ['*.com', 'which is too wide; a wildcard stands before a domain of two labels or more'],
    ['*.1.2.3.4', 'which is too wide'],
    ['a.*.com', 'which is no host'],
    ['*github.com', 'which is no host'],
    ['', 'which is no host'],
    ['a:99999', 'which is no host with a port from 1 to 65535'],
  ])('refuses %j', (text, why) => {
    expect(() => parseHostRule(text)).toThrow(why);
  });
});

describe('matchesRule', () => {
  test('a wildcard takes what is below it, at any depth, and not the domain itself', () => {
    const rule = parseHostRule('*.github.com');
    const isMatch = (host: string): boolean => matchesRule(rule, { host, port: 443 });
    expect(
      ['api.github.com', 'a.b.github.com', 'github.com', 'evilgithub.com', 'github.com.evil.com'].map(isMatch),
    ).toEqual([true, true, false, false, false]);
  });

  test('a port narrows a rule', () => {
    const rule = parseHostRule('localhost:8080');
    expect([8080, 80].map((port) => matchesRule(rule, { host: 'localhost', port }))).toEqual([true, false]);
  });

  test('a name takes itself and nothing else', () => {
    fc.assert(
      fc.property(fc.domain(), fc.domain(), (named, asked) => {
        const rule = parseHostRule(named);
        expect(matchesRule(rule, { host: asked, port: 443 })).toBe(canonicalHost(asked) === rule.host);
      }),
    );
  });
});
