import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paperDisk } from '../../test/fixtures/paper-disk.ts';
import { isWithin } from './program-folders.ts';
import { SandboxConfig } from './sandbox-config.ts';
import type { SandboxFields } from './sandbox-config.ts';
import { missingPaths, SANDBOX_HOME, sandboxMounts, strayingPaths } from './sandbox-mounts.ts';
import type { Mount, MountRequest } from './sandbox-mounts.ts';

const HOME = '/home/ada';
const DISK = paperDisk({
  '/usr/bin/node': '',
  '/bin': '-> usr/bin',
  '/lib64/ld': '',
  '/etc/passwd': '',
  '/etc/shadow': '',
  '/etc/ssl/certs/ca.pem': '',
  '/etc/ssl/private/key.pem': '',
  '/etc/pki/tls/certs/ca.pem': '',
  '/etc/pki/tls/private/key.pem': '',
  '/etc/resolv.conf': '-> /run/resolv.conf',
  '/run/resolv.conf': '',
  '/srv/tools/package.json': '',
  '/srv/tools/main.js': '',
  '/data/in/file': '',
  '/data/out/file': '',
  [`${HOME}/.ssh/id`]: '',
});

function request(sandbox: SandboxFields = {}, more: Partial<MountRequest> = {}): MountRequest {
  return {
    sandbox: new SandboxConfig(sandbox),
    program: { file: '/usr/bin/node', args: ['/srv/tools/main.js'], cwd: '/work', path: '/usr/bin', home: HOME },
    isCwdDeclared: false,
    isNetworkOpen: false,
    home: undefined,
    egressFolder: undefined,
    boxesFolder: '/tmp/boxes',
    ...more,
  };
}

const same = (kind: 'read' | 'write', path: string): Mount => ({ kind, path, source: path });

test('the system, the program, an empty /tmp and HOME, and nothing else', () => {
  expect(sandboxMounts(request(), DISK)).toEqual([
    { kind: 'folder', path: '/work' },
    same('read', '/usr'),
    { kind: 'link', path: '/bin', target: 'usr/bin' },
    same('read', '/lib64'),
    { kind: 'proc', path: '/proc' },
    { kind: 'dev', path: '/dev' },
    { kind: 'empty', path: '/tmp' },
    same('read', '/etc/passwd'),
    { kind: 'empty', path: SANDBOX_HOME },
    same('read', '/srv/tools'),
    same('read', '/etc/ssl/certs'),
    same('read', '/etc/pki/tls/certs'),
  ]);
});

test('an open network brings the files that names are found by', () => {
  expect(sandboxMounts(request({}, { isNetworkOpen: true }), DISK)).toContainEqual({
    kind: 'read',
    path: '/etc/resolv.conf',
    source: '/run/resolv.conf',
  });
});

describe('declared paths', () => {
  test('are relative to the working directory, and writing wins over reading', () => {
    const sandbox = { readablePaths: ['in', '/data/out'], writablePaths: ['/data/out'] };
    const program = { ...request().program, cwd: '/data' };
    const mounts = sandboxMounts(request(sandbox, { program }), DISK).filter(({ path }) => path.startsWith('/data'));
    expect(mounts).toEqual([{ kind: 'folder', path: '/data' }, same('read', '/data/in'), same('write', '/data/out')]);
  });

  test('that another one implies are left out, unless what is between can be written', () => {
    const sandbox = { readablePaths: ['/data', '/data/in', '/data/out/file'], writablePaths: ['/data/out'] };
    const mounts = sandboxMounts(request(sandbox), DISK).filter(({ path }) => path.startsWith('/data'));
    expect(mounts).toEqual([same('read', '/data'), same('write', '/data/out'), same('read', '/data/out/file')]);
  });

  test('include a working directory that was declared, to be read', () => {
    const program = { ...request().program, cwd: '/data/in' };
    expect(sandboxMounts(request({}, { program, isCwdDeclared: true }), DISK)).toContainEqual(same('read', '/data/in'));
  });

  test('that are links are there under both names, or where the link leads if it is there already', () => {
    const disk = paperDisk({ '/usr/bin/node': '', '/links/data': '-> /data/in', '/data/in/file': '' });
    const under = (path: string, readablePaths: readonly string[]): readonly Mount[] =>
      sandboxMounts(request({ readablePaths }), disk).filter((mount) => mount.path.startsWith(path));
    expect(under('/links', ['/links/data'])).toEqual([{ kind: 'read', path: '/links/data', source: '/links/data' }]);
    expect(under('/data', ['/links/data'])).toEqual([{ kind: 'read', path: '/data/in', source: '/links/data' }]);
    const writable = request({ readablePaths: ['/links'], writablePaths: ['/links/data'] });
    expect(sandboxMounts(writable, disk).filter(({ kind }) => kind === 'write')).toEqual([
      { kind: 'write', path: '/data/in', source: '/links/data' },
    ]);
  });

  test.each(['/', '/tmp', SANDBOX_HOME])('a working directory %s takes nothing away', (cwd) => {
    const mounts = sandboxMounts(request({}, { program: { ...request().program, cwd } }), DISK);
    expect(mounts).toContainEqual({ kind: 'empty', path: '/tmp' });
    expect(mounts).toContainEqual({ kind: 'empty', path: SANDBOX_HOME });
    expect(mounts.filter(({ kind }) => kind === 'folder')).toEqual([]);
  });

  test('that hold the folders of all servers hide these', () => {
    const disk = paperDisk({ '/usr/bin/node': '', '/tmp/boxes/one/home/key': '', '/data': '-> /tmp' });
    for (const path of ['/tmp', '/tmp/boxes', '/data']) {
      for (const sandbox of [{ readablePaths: [path] }, { writablePaths: [path] }]) {
        expect(sandboxMounts(request(sandbox), disk).at(-1)).toEqual({ kind: 'empty', path: '/tmp/boxes' });
      }
    }
  });

  test('and a HOME that stays', () => {
    expect(sandboxMounts(request({}, { home: '/data/out' }), DISK)).toContainEqual({
      kind: 'write',
      path: SANDBOX_HOME,
      source: '/data/out',
    });
  });

  test.each(['/', '/home', HOME, `${HOME}/.config`])('leave out a working directory that is as wide as %s', (cwd) => {
    const program = { ...request().program, cwd };
    const mounts = sandboxMounts(request({}, { program, isCwdDeclared: true }), DISK);
    expect(mounts.filter(({ kind, path }) => kind === 'read' && path === cwd)).toEqual([]);
  });

  test('that a server could have turned into a link out of what it may write are told', () => {
    const disk = paperDisk({
      '/data/out/a': '-> /home/ada/.ssh',
      '/data/out/b': '-> /data/out/c',
      '/data/out/c/file': '',
      '/data/in': '-> /srv/tools',
      '/srv/tools/main.js': '',
      '/home/ada/.ssh/id': '',
    });
    const sandbox = { readablePaths: ['/data/out/a', '/data/out/b', '/data/in'], writablePaths: ['/data/out'] };
    expect(strayingPaths(request(sandbox), disk)).toEqual(['/data/out/a']);
    expect(strayingPaths(request(sandbox, { home: '/data/out/a' }), disk)).toEqual(['/data/out/a', '/data/out/a']);
    expect(strayingPaths(request({ readablePaths: ['/data/out/a'] }), disk)).toEqual([]);
  });

  test('that do not exist are told', () => {
    const sandbox = { readablePaths: ['/data/in', '/nope'], writablePaths: ['gone'] };
    expect(missingPaths(request(sandbox, { home: '/no-home' }), DISK)).toEqual(['/nope', 'gone', '/no-home']);
  });
});

const path = fc.constantFrom(
  '/data',
  '/data/in',
  '/data/out',
  '/data/out/file',
  '/srv/tools',
  '/srv/tools/main.js',
  '/usr/bin',
);
const paths = fc.array(path, { maxLength: 4 });

test('[S1.sandbox] only what is declared can be written, and nothing of a home folder is there', () => {
  fc.assert(
    fc.property(paths, paths, (readablePaths, writablePaths) => {
      const mounts = sandboxMounts(request({ readablePaths, writablePaths }), DISK);
      const written = mounts.filter(({ kind }) => kind === 'write').map((mount) => mount.path);
      expect(new Set(written)).toEqual(new Set(writablePaths));
      const visible = mounts.filter(({ kind }) => kind === 'read' || kind === 'write');
      expect(visible.filter((mount) => isWithin(HOME, [mount.path]) || isWithin(mount.path, [HOME]))).toEqual([]);
      for (const secret of ['/etc/shadow', '/etc/ssl/private/key.pem', '/etc/pki/tls/private/key.pem']) {
        expect(visible.filter((mount) => isWithin(secret, [mount.path]))).toEqual([]);
      }
    }),
  );
});

test('what holds something comes before it, and every declared path can be reached as it was declared', () => {
  fc.assert(
    fc.property(paths, paths, (readablePaths, writablePaths) => {
      const mounts = sandboxMounts(request({ readablePaths, writablePaths }), DISK);
      for (const [index, mount] of mounts.entries()) {
        expect(mounts.slice(0, index).filter((before) => isWithin(before.path, [mount.path]))).toEqual([]);
      }
      for (const wanted of [...readablePaths, ...writablePaths]) {
        const last = mounts.findLast((mount) => isWithin(wanted, [mount.path]));
        const isWritable = isWithin(wanted, writablePaths) && last?.kind === 'write';
        expect(writablePaths.includes(wanted) ? isWritable : ['read', 'write'].includes(last?.kind ?? '')).toBe(true);
      }
    }),
  );
});
