import { dirname } from 'node:path';
import type { Mount } from './sandbox-mounts.ts';

/** Where the way out of a sandbox begins, inside of it. */
export const PROXY_PORT = 3128;

/** How a server's connections get from the sandbox's own loopback to the proxy's socket. */
export interface Forwarding {
  /** The socket, by its path inside the sandbox. */
  readonly socketPath: string;
  /** The program that forwards: socat if there is one, else Node. */
  readonly program: { readonly kind: 'socat' | 'node'; readonly file: string };
}

export interface Box {
  /** The file of bubblewrap. */
  readonly bwrap: string;
  /** What to run in it. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** Variables for the command that bubblewrap itself must not heed; every user can read them. */
  readonly innerEnv?: Readonly<Record<string, string>>;
  /** Undefined leaves the files as they are, but for the folders that other servers have beside the server's own. */
  readonly mounts: readonly Mount[] | undefined;
  readonly ownFolder: string;
  /** To root the kernel's settings are open, in whatever namespace. */
  readonly isRoot: boolean;
  /** `open` is the machine's own network; undefined is none at all. */
  readonly network: 'open' | Forwarding | undefined;
}

/** What every sandbox is made with, and what is tried to know whether one can be had. */
export const BOX_FLAGS: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
];

/** The command line that runs a command in a sandbox; no secret stands in it that was not in the command. */
export function bubblewrapArgv(box: Box): readonly string[] {
  const { bwrap, command, cwd, innerEnv = {}, mounts, ownFolder, isRoot, network } = box;
  return [
    bwrap,
    ...BOX_FLAGS,
    ...(network === 'open' ? [] : ['--unshare-net']),
    ...(mounts ? [...mounts.flatMap(mountFlags), '--remount-ro', '/'] : openFiles(ownFolder)),
    ...(isRoot ? ['--remount-ro', '/proc'] : []),
    ...Object.entries(innerEnv).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--'],
    ...(typeof network === 'object' ? forwarded(network) : []),
    ...command,
  ];
}

/** A program, without which there is no proxy inside, that passes on whatever connects to it. */
export function nodeForwarder(socketPath: string): string {
  return [
    "const net = require('node:net'); const { pipeline } = require('node:stream');",
    'net.createServer((near) => {',
    `const far = net.connect(${JSON.stringify(socketPath)});`,
    'pipeline(near, far, () => undefined); pipeline(far, near, () => undefined);',
    `}).listen(${PROXY_PORT}, '127.0.0.1');`,
  ].join(' ');
}

function openFiles(ownFolder: string): readonly string[] {
  const hidden = ['--tmpfs', dirname(ownFolder), '--bind', ownFolder, ownFolder];
  return ['--dev-bind', '/', '/', '--proc', '/proc', ...hidden];
}

function mountFlags(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.source, mount.path];
    case 'write':
      return ['--bind', mount.source, mount.path];
    case 'link':
      return ['--symlink', mount.target, mount.path];
    case 'empty':
      return ['--tmpfs', mount.path];
    case 'folder':
      return ['--dir', mount.path];
    case 'proc':
      return ['--proc', mount.path];
    case 'dev':
      return ['--dev', mount.path];
  }
}

// The forwarder is started anew whenever it ends, and holds none of the server's pipes. The server waits until it listens.
// Whatever PATH the server was given, the shell finds the one program that it needs itself.
const SCRIPT = `
pause() { PATH=/usr/bin:/bin:/run/current-system/sw/bin sleep "$1"; }
listens() {
  while read -r line; do case $line in *:LISTENING*) return 0 ;; esac; done </proc/net/tcp
  return 1
}
(while :; do FORWARDER; pause 0.2; done </dev/null >/dev/null 2>&1 &)
tries=0
until listens; do
  tries=$((tries + 1)); [ $tries -gt 500 ] && exit 125; pause 0.01
done
shift 2
exec "$@"
`
  .trim()
  // As /proc/net/tcp shows a port on which somebody listens.
  .replace('LISTENING', `${PROXY_PORT.toString(16).toUpperCase().padStart(4, '0')}" "00000000:0000" "0A`);
const SOCAT = `"$1" TCP-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr "UNIX-CONNECT:$2"`;
const NODE = 'NODE_OPTIONS= "$1" -e "$2"';

function forwarded({ socketPath, program }: Forwarding): readonly string[] {
  const isSocat = program.kind === 'socat';
  const script = SCRIPT.replace('FORWARDER', () => (isSocat ? SOCAT : NODE));
  return ['/bin/sh', '-c', script, 'sh', program.file, isSocat ? socketPath : nodeForwarder(socketPath)];
}
