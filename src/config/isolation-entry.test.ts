import { describe, expect, test } from 'vitest';
import { IsolationConfig } from '../isolation/isolation-config.ts';
import { NetworkPolicy } from '../isolation/network-policy.ts';
import { SandboxConfig } from '../isolation/sandbox-config.ts';
import { anchorPaths } from './anchored-paths.ts';
import { ConfigError } from './config-error.ts';
import { parseServer } from './parse-server.ts';
import type { McpServer } from './server.ts';

function isolationOf(isolation: unknown): McpServer['isolation'] {
  return parseServer('files', { command: 'node', isolation }).isolation;
}

test.each([
  ['off', 'off'],
  ['required', new IsolationConfig({ sandbox: new SandboxConfig({ enabled: true }) })],
  ['preferred', new IsolationConfig({ sandbox: new SandboxConfig({ mode: 'preferred' }) })],
  [undefined, undefined],
])('the word %s', (word, isolation) => {
  expect(isolationOf(word)).toEqual(isolation);
});

const FULL = new IsolationConfig({
  networkPolicy: NetworkPolicy.withDomains('api.github.com', '*.npmjs.org'),
  sandbox: new SandboxConfig({ enabled: true, readablePaths: ['in'], writablePaths: ['out'] }),
  env: { LANG: 'C' },
  home: 'home',
});

test('all of it, in our spelling and in that of the documents', () => {
  const domains = ['api.github.com', '*.npmjs.org'];
  expect(
    isolationOf({
      networkPolicy: { domains },
      sandbox: { enabled: true, readablePaths: ['in'], writablePaths: ['out'] },
      env: { LANG: 'C' },
      home: 'home',
    }),
  ).toEqual(FULL);
  expect(
    isolationOf({
      network_policy: { domains },
      sandbox: { mode: 'required', readable_paths: ['in'], writable_paths: ['out'] },
      env: { LANG: 'C' },
      home: 'home',
    }),
  ).toEqual(FULL);
  expect(isolationOf({ sandbox: 'preferred', networkPolicy: { domains: [] } })).toEqual(
    new IsolationConfig({
      sandbox: new SandboxConfig({ mode: 'preferred' }),
      networkPolicy: NetworkPolicy.noNetwork(),
    }),
  );
});

test('its paths are meant from the folder of their file', () => {
  const server = anchorPaths(parseServer('files', { command: 'node' }).with({ isolation: FULL }), '/project');
  expect(server.isolation).toEqual(FULL.withPaths((path) => `/project/${path}`));
});

describe('a mistake is told where it is, with what was expected', () => {
  test.each([
    ['maybe', 'files.isolation: found "maybe", expected "required", "preferred", "off" or a map'],
    [{ sandbox: 'maybe' }, 'files.isolation.sandbox: found "maybe", expected "required", "preferred" or "off"'],
    [
      { sandbox: { enable: true } },
      'files.isolation.sandbox.enable: found an unknown key, expected a known key; did you mean "enabled"?',
    ],
    [{ sandbox: { enabled: 'yes' } }, 'files.isolation.sandbox.enabled: found "yes", expected true or false'],
    [
      { sandbox: { enabled: true, mode: 'off' } },
      'files.isolation.sandbox.mode: found mode beside enabled, expected only one of them',
    ],
    [{ sandbox: { readable_paths: 'in' } }, 'files.isolation.sandbox.readable_paths: found "in", expected a list'],
    [
      { sandbox: { readablePaths: ['in', '/'] } },
      'files.isolation.sandbox.readablePaths[1]: found "/", expected a path, but not that of the whole machine or of /proc',
    ],
    [{ networkPolicy: {} }, 'files.isolation.networkPolicy.domains: found nothing, expected a list'],
    [
      { network_policy: { domains: ['ok.com', 'https://api.github.com'] } },
      'files.isolation.network_policy.domains[1]: found "https://api.github.com", expected a host, such as api.github.com, *.github.com or localhost:8080',
    ],
    [
      { networkpolicy: {} },
      'files.isolation.networkpolicy: found an unknown key, expected a known key; did you mean "networkPolicy"?',
    ],
    [{ env: { A: 1 } }, 'files.isolation.env.A: found a number, expected text'],
  ])('%j', (isolation, message) => {
    expect(() => isolationOf(isolation)).toThrow(ConfigError);
    expect(() => isolationOf(isolation)).toThrow(message);
  });

  test.each(['/', '/etc/..', '/proc', '/proc/1/environ', 'a\0b'])('a path to open that is %j', (path) => {
    const isolation = { sandbox: { readablePaths: ['in'], writable_paths: [path] } };
    expect(() => isolationOf(isolation)).toThrow('files.isolation.sandbox.writable_paths[0]: found ');
  });
});
