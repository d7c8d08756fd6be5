import { expect, test } from 'vitest';
import { NetworkPolicy } from './network-policy.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';

test('without a way out only the folders are others', () => {
  expect(sandboxEnvironment({ home: '/sandbox/home', hasOwnTmp: true, egress: undefined })).toEqual({
    HOME: '/sandbox/home',
    TMPDIR: '/tmp',
  });
  expect(sandboxEnvironment({ home: '/h', hasOwnTmp: false, egress: undefined })).toEqual({ HOME: '/h' });
});

test('with one, every usual variable names it, and the loopback stays the own', () => {
  const policy = NetworkPolicy.withDomains('api.github.com');
  const proxy = 'http://127.0.0.1:3128';
  expect(sandboxEnvironment({ home: '/h', hasOwnTmp: false, egress: { policy, preloadPath: '/run/p.cjs' } })).toEqual({
    HOME: '/h',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: 'localhost,127.0.0.1,::1',
    no_proxy: 'localhost,127.0.0.1,::1',
    NODE_USE_ENV_PROXY: '1',
    NODE_OPTIONS: '--require "/run/p.cjs"',
  });
});

test.each(['localhost', 'localhost:8080', '127.0.0.1', '[::1]:80'])(
  'a policy that names %s means that of the machine',
  (domain) => {
    const policy = NetworkPolicy.withDomains(domain);
    expect(
      sandboxEnvironment({ home: '/h', hasOwnTmp: false, egress: { policy, preloadPath: '/run/p.cjs' } }),
    ).toMatchObject({ NO_PROXY: '', no_proxy: '' });
  },
);
