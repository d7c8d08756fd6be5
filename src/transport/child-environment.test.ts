import { describe, expect, test } from 'vitest';
import { childEnvironment, minimalEnvironment } from './child-environment.ts';

const parent = {
  PATH: '/bin',
  HOME: '/home/me',
  LANG: 'C.UTF-8',
  TERM: 'xterm',
  USER: 'me',
  LOGNAME: 'me',
  SHELL: '/bin/sh',
  TMPDIR: '/tmp',
  GITHUB_TOKEN: 'secret',
  NODE_OPTIONS: '--inspect',
  SSH_AUTH_SOCK: '/run/agent',
};

describe('childEnvironment', () => {
  test('[S1.multiple] holds the harmless minimum, the own variables and the mark, and nothing else', () => {
    expect(childEnvironment({ parent, own: { API_KEY: 'mine' }, mark: 'hub/1' })).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LANG: 'C.UTF-8',
      TERM: 'xterm',
      USER: 'me',
      LOGNAME: 'me',
      SHELL: '/bin/sh',
      TMPDIR: '/tmp',
      API_KEY: 'mine',
      FAIRLEAD_OWNER: 'hub/1',
    });
  });

  test("lets the server's own value win", () => {
    const env = childEnvironment({ parent: { PATH: '/bin' }, own: { PATH: '/opt/bin' }, mark: 'hub/1' });
    expect(env).toEqual({ PATH: '/opt/bin', FAIRLEAD_OWNER: 'hub/1' });
  });

  test('adds its mark to those of outer hubs, and lets nobody replace it', () => {
    const env = childEnvironment({
      parent: { FAIRLEAD_OWNER: 'outer/4' },
      own: { FAIRLEAD_OWNER: 'x' },
      mark: 'inner/1',
    });
    expect(env).toEqual({ FAIRLEAD_OWNER: 'outer/4 inner/1' });
  });
});

describe('minimalEnvironment', () => {
  test('passes no shell function on', () => {
    expect(minimalEnvironment({ TERM: '() { :; }; echo bad', HOME: '/' })).toEqual({ HOME: '/' });
  });

  test('carries no mark', () => {
    expect(minimalEnvironment({ FAIRLEAD_OWNER: 'outer/4', USER: undefined })).toEqual({});
  });
});
