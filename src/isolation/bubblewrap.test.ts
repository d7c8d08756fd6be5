import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { BOX_FLAGS, bubblewrapArgv, nodeForwarder } from './bubblewrap.ts';

const BOX = {
  bwrap: '/usr/bin/bwrap',
  command: ['/usr/bin/node', 'main.js'],
  cwd: '/work',
  ownFolder: '/tmp/boxes/own',
  isRoot: false,
} as const;

test('a sandbox with files and without network', () => {
  const mounts = [
    { kind: 'read', path: '/usr', source: '/usr' },
    { kind: 'link', path: '/bin', target: 'usr/bin' },
    { kind: 'proc', path: '/proc' },
    { kind: 'dev', path: '/dev' },
    { kind: 'empty', path: '/tmp' },
    { kind: 'folder', path: '/work' },
    { kind: 'write', path: '/sandbox/home', source: '/keep' },
  ] as const;
  expect(bubblewrapArgv({ ...BOX, mounts, network: undefined })).toEqual([
    ...['/usr/bin/bwrap', ...BOX_FLAGS, '--unshare-net'],
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--proc', '/proc', '--dev', '/dev'],
    ...['--tmpfs', '/tmp', '--dir', '/work', '--bind', '/keep', '/sandbox/home', '--remount-ro', '/'],
    ...['--chdir', '/work', '--', '/usr/bin/node', 'main.js'],
  ]);
});

test('one that holds the network only, or nothing but the processes', () => {
  const files = ['--dev-bind', '/', '/', '--proc', '/proc'];
  const others = ['--tmpfs', '/tmp/boxes', '--bind', '/tmp/boxes/own', '/tmp/boxes/own'];
  const open = [...files, ...others, '--chdir', '/work', '--', '/usr/bin/node', 'main.js'];
  const box = { ...BOX, mounts: undefined };
  expect(bubblewrapArgv({ ...box, network: undefined })).toEqual([BOX.bwrap, ...BOX_FLAGS, '--unshare-net', ...open]);
  expect(bubblewrapArgv({ ...box, network: 'open' })).toEqual([BOX.bwrap, ...BOX_FLAGS, ...open]);
});

test('to root the kernel is not open', () => {
  const argv = bubblewrapArgv({ ...BOX, mounts: [{ kind: 'proc', path: '/proc' }], network: 'open', isRoot: true });
  expect(argv.slice(argv.indexOf('--proc'), argv.indexOf('--chdir'))).toEqual([
    ...['--proc', '/proc', '--remount-ro', '/', '--remount-ro', '/proc'],
  ]);
});

test('what tells a program which code to load is told inside only', () => {
  const argv = bubblewrapArgv({ ...BOX, mounts: undefined, network: 'open', innerEnv: { LD_PRELOAD: '/lib/x.so' } });
  expect(argv.slice(argv.indexOf('--setenv'), argv.indexOf('--chdir'))).toEqual([
    '--setenv',
    'LD_PRELOAD',
    '/lib/x.so',
  ]);
});

test('with a way out, a shell starts what forwards and then becomes the server', () => {
  const network = {
    socketPath: '/sandbox/egress/proxy.sock',
    program: { kind: 'socat', file: '/usr/bin/socat' },
  } as const;
  const argv = bubblewrapArgv({ ...BOX, mounts: undefined, network });
  expect(argv.slice(argv.indexOf('--') + 1)).toEqual([
    ...['/bin/sh', '-c', expect.stringContaining('TCP-LISTEN:3128,bind=127.0.0.1') as string, 'sh'],
    ...['/usr/bin/socat', '/sandbox/egress/proxy.sock', '/usr/bin/node', 'main.js'],
  ]);
  expect(argv).toContain('--unshare-net');
});

test('what Node forwards with is a program that Node can run', async () => {
  const child = spawn(process.execPath, ['--check', '-'], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(nodeForwarder('/run/"odd"/proxy.sock'));
  expect(await once(child, 'exit')).toEqual([0, null]);
});
