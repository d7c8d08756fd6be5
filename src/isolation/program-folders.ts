import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Disk } from './disk.ts';

/** What is about to run. */
export interface Program {
  /** The file that the command names. */
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The PATH that it will have. */
  readonly path: string | undefined;
  /** The home folder of whoever runs us, which must not be let in by accident. */
  readonly home: string | undefined;
  /** Other programs that must run beside it. */
  readonly companions?: readonly string[];
}

/** Where every program looks, and which are there anyway. */
export const SYSTEM_FOLDERS: readonly string[] = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

const INTERPRETERS = /^(?:node|bun|deno|tsx|python[\d.]*|pypy[\d.]*|ruby|perl|php|java|sh|bash|zsh)$/;
const PACKAGE_FILES = ['package.json', 'pyproject.toml', 'pyvenv.cfg'];
// Folders in which the things of many stand side by side.
const SHARED = new Set(['/', '/etc', '/home', '/media', '/mnt', '/opt', '/root', '/run', '/srv', '/tmp', '/var']);
const OF_MANY = ['.local', '.config'];
const NODE_MODULES = '/node_modules/';

/** The files and folders that a program is made of, beside those of the system; links and what they lead to. */
export function programFolders(program: Program, disk: Disk): readonly string[] {
  const files = [
    program.file,
    ...(program.companions ?? []),
    ...interpreterOf(program, disk),
    ...scriptOf(program, disk),
  ];
  const paths = files.map((file) => resolve(program.cwd, file)).flatMap((file) => [file, disk.realPath(file) ?? file]);
  return [...new Set(paths.flatMap((path) => folderOf(path, program, disk)))];
}

/** Whether a path is one of the folders, or in one of them. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`));
}

function folderOf(path: string, { home }: Program, disk: Disk): readonly string[] {
  if (isWithin(path, SYSTEM_FOLDERS)) return [];
  const modules = path.indexOf(NODE_MODULES);
  if (modules !== -1) return [path.slice(0, modules + NODE_MODULES.length - 1)];
  const folder = packageOf(path, disk);
  return [isTooWide(folder, home, disk) ? path : folder];
}

/** The nearest folder above a file that is a package or an installation, or else the file's own. */
function packageOf(path: string, disk: Disk): string {
  const own = dirname(path);
  if (basename(own) === 'bin' && disk.kindOf(join(dirname(own), 'lib')) !== undefined) return dirname(own);
  for (let folder = own; folder !== dirname(folder); folder = dirname(folder)) {
    if (PACKAGE_FILES.some((file) => disk.kindOf(join(folder, file)) !== undefined)) return folder;
  }
  return own;
}

/** A home folder, and whatever holds one, is more than any program is made of. */
export function isTooWide(folder: string, home: string | undefined, disk: Disk): boolean {
  if (SHARED.has(folder) || dirname(folder) === '/home') return true;
  const homes = home === undefined ? [] : [home, disk.realPath(home) ?? home];
  return homes.some((each) => isWithin(each, [folder]) || OF_MANY.some((name) => folder === join(each, name)));
}

/** What the first line of a script names; whoever wrote the script wrote it, so nothing but a program that is there counts. */
function interpreterOf({ file, path = '' }: Program, disk: Disk): readonly string[] {
  const [, command = '', words = ''] = /^#!\s*(\S+)\s*(.*)$/.exec(disk.firstLine(file)) ?? [];
  if (basename(command) !== 'env') {
    const interpreter = disk.realPath(command);
    return interpreter === undefined || !isAbsolute(command) ? [] : [resolve(command)];
  }
  const name = words.split(/\s+/).find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));
  if (name === undefined || name.includes('/')) return [];
  const found = path.split(':').map((folder) => join(folder, name));
  return found.filter((each) => disk.realPath(each) !== undefined).slice(0, 1);
}

/** What an interpreter is to run: the first argument that is a file. */
function scriptOf({ file, args, cwd }: Program, disk: Disk): readonly string[] {
  if (!INTERPRETERS.test(basename(file)) && !INTERPRETERS.test(basename(disk.realPath(file) ?? ''))) return [];
  const paths = args.filter((arg) => !arg.startsWith('-')).map((arg) => resolve(cwd, arg));
  return paths.filter((path) => isFile(path, disk)).slice(0, 1);
}

function isFile(path: string, disk: Disk): boolean {
  const real = disk.realPath(path);
  return real !== undefined && disk.kindOf(real) === 'file';
}
