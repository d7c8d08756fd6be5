import { describe, expect, test } from 'vitest';
import { IsolationConfig } from './isolation-config.ts';
import { NetworkPolicy } from './network-policy.ts';
import { SandboxConfig } from './sandbox-config.ts';

const POLICY = NetworkPolicy.withDomains('api.github.com');

describe('SandboxConfig', () => {
  test.each([
    [{}, 'required'],
    [{ enabled: true }, 'required'],
    [{ enabled: false }, 'off'],
    [{ mode: 'preferred' }, 'preferred'],
    [{ enabled: true, mode: 'preferred' }, 'preferred'],
    [{ enabled: false, mode: 'off' }, 'off'],
  ] as const)('%j is %s', (fields, mode) => {
    const sandbox = new SandboxConfig(fields);
    expect([sandbox.mode, sandbox.enabled]).toEqual([mode, mode !== 'off']);
  });

  test('refuses what contradicts itself, and what is no path', () => {
    expect(() => new SandboxConfig({ enabled: false, mode: 'required' })).toThrow(
      'sandbox: enabled: false contradicts mode: required; say only one of them',
    );
    expect(() => new SandboxConfig({ writablePaths: [''] })).toThrow(
      "sandbox: writablePaths holds '', which is no path",
    );
    expect(() => new SandboxConfig({ readablePaths: ['/'] })).toThrow(
      "sandbox: readablePaths holds '/', which is everything",
    );
    expect(() => new SandboxConfig({ readablePaths: ['/etc/..'] })).toThrow(
      "sandbox: readablePaths holds '/etc/..', which is everything",
    );
    expect(() => new SandboxConfig({ readablePaths: ['/proc/'] })).toThrow(
      "sandbox: readablePaths holds '/proc/', where every process shows its secrets",
    );
  });
});

describe('IsolationConfig', () => {
  test.each([
    [{}, 'off'],
    [{ env: { LANG: 'C' } }, 'off'],
    [{ sandbox: new SandboxConfig({ enabled: true }) }, 'required'],
    [{ sandbox: new SandboxConfig({ mode: 'preferred' }), networkPolicy: POLICY }, 'preferred'],
    [{ networkPolicy: POLICY }, 'required'],
    [{ networkPolicy: POLICY, sandbox: new SandboxConfig({ enabled: false }) }, 'required'],
  ])('the mode of %j is %s', (fields, mode) => {
    expect(new IsolationConfig(fields).mode).toBe(mode);
  });

  test('cannot be changed', () => {
    const isolation = new IsolationConfig({ env: { LANG: 'C' }, networkPolicy: POLICY, sandbox: new SandboxConfig() });
    const parts = [
      isolation,
      isolation.env,
      isolation.sandbox,
      isolation.sandbox.readablePaths,
      POLICY,
      POLICY.domains,
    ];
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([]);
  });

  test('is plain data as JSON, so that equal ones give equal text', () => {
    const isolation = new IsolationConfig({
      networkPolicy: POLICY,
      sandbox: new SandboxConfig({ enabled: true, writablePaths: ['/out'] }),
      home: '/keep',
    });
    expect(JSON.parse(JSON.stringify(isolation))).toEqual({
      networkPolicy: { domains: ['api.github.com'] },
      sandbox: { mode: 'required', readablePaths: [], writablePaths: ['/out'] },
      env: {},
      home: '/keep',
    });
  });

  test('replaces all its paths', () => {
    const sandbox = new SandboxConfig({ readablePaths: ['a'], writablePaths: ['b'] });
    const replaced = new IsolationConfig({ sandbox, home: 'h', networkPolicy: POLICY, env: { A: '1' } }).withPaths(
      (path) => `/x/${path}`,
    );
    expect(replaced).toEqual(
      new IsolationConfig({
        sandbox: new SandboxConfig({ readablePaths: ['/x/a'], writablePaths: ['/x/b'] }),
        home: '/x/h',
        networkPolicy: POLICY,
        env: { A: '1' },
      }),
    );
  });
});
