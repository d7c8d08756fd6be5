import { resolve } from 'node:path';
import type { Disk } from './disk.ts';
import { isTooWide, isWithin, programFolders, SYSTEM_FOLDERS } from './program-folders.ts';
import type { Program } from './program-folders.ts';
import type { SandboxConfig } from './sandbox-config.ts';

/** One thing that stands in a sandbox. */
export type Mount =
  | { readonly kind: 'read' | 'write'; readonly path: string; readonly source: string }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'empty' | 'folder' | 'proc' | 'dev'; readonly path: string };

export interface MountRequest {
  readonly sandbox: SandboxConfig;
  readonly program: Program;
  /** Whether the working directory was declared, and so may be read. */
  readonly isCwdDeclared: boolean;
  /** Whether the machine's own network is used, and with it its names. */
  readonly isNetworkOpen: boolean;
  /** A folder of this machine that serves as HOME; an empty one otherwise. */
  readonly home: string | undefined;
  /** The folder with the socket of the way out, if there is one. */
  readonly egressFolder: string | undefined;
  /** Where the hub keeps what its servers need, each for itself; no declared path opens it. */
  readonly boxesFolder: string;
}

/** The HOME of a server in a sandbox; beside everything that can be declared, so that there is always a place for it. */
export const SANDBOX_HOME = '/sandbox/home';

/** Where a sandbox has the socket of its way out. */
export const EGRESS_FOLDER = '/sandbox/egress';

// What a program needs to load its libraries, to trust certificates, to know the time and who it is.
const SYSTEM_FILES: readonly string[] = [
  ...['/etc/ld.so.cache', '/etc/ld.so.conf', '/etc/ld.so.conf.d', '/etc/alternatives', '/etc/localtime'],
  // Beside the certificates are private keys, which are open to whoever runs us as root.
  ...['/etc/ssl/certs', '/etc/ssl/cert.pem', '/etc/ssl/ca-bundle.pem', '/etc/ssl/openssl.cnf', '/etc/pki/ca-trust'],
  ...['/etc/pki/tls/certs', '/etc/pki/tls/cert.pem', '/etc/pki/tls/openssl.cnf', '/etc/pki/java'],
  ...['/etc/ca-certificates', '/etc/ca-certificates.conf', '/etc/crypto-policies'],
  ...['/etc/passwd', '/etc/group', '/etc/nsswitch.conf', '/etc/hosts', '/nix/store'],
];
const NETWORK_FILES: readonly string[] = ['/etc/resolv.conf', '/etc/gai.conf', '/etc/services', '/etc/protocols'];

/** Everything that a server sees of the machine, in the order in which it can be put together. */
export function sandboxMounts(request: MountRequest, disk: Disk): readonly Mount[] {
  const { sandbox, program, home, egressFolder } = request;
  const { cwd } = program;
  const absolute = (path: string): string => resolve(cwd, path);
  const writable = sandbox.writablePaths.map(absolute);
  const wanted = [
    ...programFolders(program, disk),
    ...sandbox.readablePaths.map(absolute),
    ...(request.isCwdDeclared && !isTooWide(cwd, program.home, disk) ? [cwd] : []),
  ];
  const readable = wanted.filter((path) => !writable.includes(path) && !isImplied(path, { wanted, writable }));
  // A link in a folder that is there leads to where its target is; elsewhere it must be made.
  const places = (path: string): readonly string[] =>
    placesOf(path, { disk, holders: [...SYSTEM_FOLDERS, ...wanted, ...writable] });
  const isBoxesThere = isWithin(request.boxesFolder, [...wanted, ...writable].flatMap(places));
  const isCwdThere = cwd === '/' || isWithin(cwd, [...readable, ...writable, ...SYSTEM_FOLDERS]);
  return inOrder([
    // So that relative paths mean what they mean outside, even if nothing else is there.
    ...(isCwdThere ? [] : [{ kind: 'folder', path: cwd } as const]),
    ...SYSTEM_FOLDERS.flatMap((path) => systemMount(path, disk)),
    ...[...SYSTEM_FILES, ...(request.isNetworkOpen ? NETWORK_FILES : [])].flatMap((path) => fileMount(path, disk)),
    { kind: 'proc', path: '/proc' },
    { kind: 'dev', path: '/dev' },
    { kind: 'empty', path: '/tmp' },
    home === undefined
      ? { kind: 'empty', path: SANDBOX_HOME }
      : { kind: 'write', path: SANDBOX_HOME, source: absolute(home) },
    ...(egressFolder === undefined ? [] : [{ kind: 'read', path: EGRESS_FOLDER, source: egressFolder } as const]),
    ...readable.flatMap((path) => places(path).map((place) => ({ kind: 'read', path: place, source: path }) as const)),
    ...writable.flatMap((path) => places(path).map((place) => ({ kind: 'write', path: place, source: path }) as const)),
    ...(isBoxesThere ? [{ kind: 'empty', path: request.boxesFolder } as const] : []),
  ]);
}

/** Declared paths that do not exist, which would keep the sandbox from being built. */
export function missingPaths({ sandbox, home, program }: MountRequest, disk: Disk): readonly string[] {
  const declared = [...sandbox.readablePaths, ...sandbox.writablePaths, ...(home === undefined ? [] : [home])];
  return declared.filter((path) => disk.realPath(resolve(program.cwd, path)) === undefined);
}

/** Declared paths that lead out of a folder which the server may write, by a link that it may have put there itself. */
export function strayingPaths({ sandbox, home, program, isCwdDeclared }: MountRequest, disk: Disk): readonly string[] {
  const absolute = (path: string): string => resolve(program.cwd, path);
  const real = (path: string): string => disk.realPath(path) ?? path;
  const kept = home === undefined ? [] : [home];
  const writable = [...sandbox.writablePaths, ...kept].map(absolute);
  const declared = [...sandbox.readablePaths, ...sandbox.writablePaths, ...kept, ...(isCwdDeclared ? ['.'] : [])];
  return declared.map(absolute).filter((path) => {
    const holder = writable.find((folder) => folder !== path && isWithin(path, [folder]));
    return holder !== undefined && !isWithin(real(path), [real(holder)]);
  });
}

/** What is in a readable folder is readable, unless something in between can be written. */
function isImplied(
  path: string,
  { wanted, writable }: { readonly wanted: readonly string[]; readonly writable: readonly string[] },
): boolean {
  const holders = [...SYSTEM_FOLDERS, ...wanted].filter((other) => other !== path);
  return isWithin(path, holders) && !isWithin(path, writable);
}

function placesOf(
  path: string,
  { disk, holders }: { readonly disk: Disk; readonly holders: readonly string[] },
): readonly string[] {
  const real = disk.realPath(path) ?? path;
  const isInside = isWithin(
    path,
    holders.filter((holder) => holder !== path),
  );
  return isInside ? [real] : [...new Set([path, real])];
}

function systemMount(path: string, disk: Disk): readonly Mount[] {
  const kind = disk.kindOf(path);
  if (kind === undefined) return [];
  const target = kind === 'link' ? disk.linkTarget(path) : undefined;
  return target === undefined ? [{ kind: 'read', path, source: path }] : [{ kind: 'link', path, target }];
}

function fileMount(path: string, disk: Disk): readonly Mount[] {
  const source = disk.realPath(path);
  return source === undefined ? [] : [{ kind: 'read', path, source }];
}

/** What holds something comes before it; of two at one place the later one counts. */
function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].toSorted((left, right) => depthOf(left.path) - depthOf(right.path));
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}
