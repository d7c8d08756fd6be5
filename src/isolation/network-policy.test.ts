import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { McpError } from '../errors.ts';
import { NetworkPolicy } from './network-policy.ts';

test('names each domain once, in one spelling', () => {
  expect(NetworkPolicy.withDomains('API.GitHub.com.', 'api.github.com', '*.npmjs.org').domains).toEqual([
    'api.github.com',
    '*.npmjs.org',
  ]);
});

test('[S1.egress] an empty list allows nothing', () => {
  const host = fc.oneof(fc.domain(), fc.ipV4(), fc.constantFrom('localhost', '127.0.0.1'));
  fc.assert(
    fc.property(host, fc.integer({ min: 1, max: 65_535 }), (name, port) => {
      for (const policy of [NetworkPolicy.noNetwork(), NetworkPolicy.withDomains()]) {
        expect([policy.allows({ host: name, port }), policy.names(name, port)]).toEqual([false, false]);
      }
    }),
  );
});

test('what is allowed is what is named', () => {
  const policy = NetworkPolicy.withDomains('api.github.com', '*.example.org', 'localhost:8080');
  const allowed = (host: string, port = 443): boolean => policy.allows({ host, port });
  expect([
    allowed('api.github.com'),
    allowed('api.github.com', 22),
    allowed('github.com'),
    allowed('a.example.org'),
    allowed('example.org'),
    allowed('localhost', 8080),
    allowed('localhost', 8081),
  ]).toEqual([true, true, false, true, false, true, false]);
});

test('a mistake in the list is told with what to write instead', () => {
  expect(() => NetworkPolicy.withDomains('https://api.github.com/')).toThrow(McpError);
  expect(() => NetworkPolicy.withDomains('*')).toThrow("the network policy names '*', which is every host");
});

describe('an address that is not public', () => {
  test('is meant only if the list names it', () => {
    const policy = NetworkPolicy.withDomains('internal.example.com', '10.0.0.5', '[fd00::1]:80', '*.example.com');
    const named = (address: string, port = 443): boolean => policy.names(address, port);
    expect([
      named('10.0.0.5'),
      named('10.0.0.6'),
      named('fd00::1', 80),
      named('fd00::1', 443),
      named('internal.example.com'),
      named('127.0.0.1'),
    ]).toEqual([true, false, true, false, false, false]);
  });

  test('of this machine is also named by localhost', () => {
    const policy = NetworkPolicy.withDomains('localhost:8080');
    expect([policy.names('127.0.0.1', 8080), policy.names('::1', 8080), policy.names('127.0.0.1', 80)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(policy.names('10.0.0.1', 8080)).toBe(false);
  });
});
