import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { McpConnectionError } from '../errors.ts';
import type { ConnectionErrorCode } from '../errors.ts';

export interface ExecutableQuery {
  /** The server's name, for messages. */
  readonly server: string;
  readonly command: string;
  readonly cwd?: string | undefined;
  /** The PATH that the child will have. */
  readonly path: string | undefined;
}

// What the C library searches when there is no PATH.
const DEFAULT_PATH = '/usr/bin:/bin';
const FIRST_LINE_BYTES = 256;
const MAX_SHOWN_FOLDERS = 6;

/** The file that a command names, as the child itself would find it; throws an McpConnectionError that says what is wrong. */
export async function resolveExecutable(query: ExecutableQuery): Promise<string> {
  await requireDirectory(query);
  // Windows has its own rules for what is executable, and spawn knows them.
  if (process.platform === 'win32') return query.command;
  const candidates = candidatesOf(query);
  let unusable: string | undefined;
  for (const candidate of candidates) {
    if (await isExecutableFile(candidate)) {
      await requireInterpreter(query, candidate);
      return candidate;
    }
    if (unusable === undefined && (await exists(candidate))) unusable = candidate;
  }
  if (unusable !== undefined) {
    throw refusal(
      query,
      'SPAWN_FAILED',
      `${unusable} is not an executable file; make it one (chmod +x) or name another command`,
    );
  }
  throw notFound(query);
}

function candidatesOf({ command, cwd, path: searched }: ExecutableQuery): readonly string[] {
  const base = path.resolve(cwd ?? '.');
  if (command.includes('/')) return [path.resolve(base, command)];
  return (searched ?? DEFAULT_PATH).split(path.delimiter).map((directory) => path.resolve(base, directory, command));
}

async function requireDirectory(query: ExecutableQuery): Promise<void> {
  if (query.cwd === undefined) return;
  const found = await stat(query.cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const what = found ? 'is not a directory' : 'does not exist';
  throw refusal(query, 'SPAWN_FAILED', `the working directory '${query.cwd}' ${what}; create it or change cwd`);
}

/** A script whose first line names a program that is gone fails to start with the same words as a missing script. */
async function requireInterpreter(query: ExecutableQuery, file: string): Promise<void> {
  const interpreter = /^#![ \t]*(\/\S*)/.exec(await firstBytes(file))?.[1];
  if (interpreter === undefined || (await exists(interpreter))) return;
  const message = `${file} is a script for '${interpreter}', which does not exist; reinstall the command`;
  throw refusal(query, 'COMMAND_NOT_FOUND', message);
}

async function firstBytes(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    // A program may be executable without being readable.
    return '';
  }
}

async function isExecutableFile(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function notFound(query: ExecutableQuery): McpConnectionError {
  const { command, path: searched } = query;
  const [program = '', ...rest] = command.split(/\s+/);
  // A folder may have a space in its name; a program that is found on the PATH has none.
  if (rest.length > 0 && !program.includes('/')) {
    const advice = `a command is one program: give '${program}' as the command and the rest as args`;
    return refusal(query, 'COMMAND_NOT_FOUND', `command '${command}' not found; ${advice}`);
  }
  if (command.includes('/')) {
    const [file] = candidatesOf(query);
    return refusal(query, 'COMMAND_NOT_FOUND', `command '${command}' not found: ${file} does not exist`);
  }
  const places = shortPath(searched ?? DEFAULT_PATH);
  const message = `command '${command}' not found on PATH; install it, or give its full path (searched: ${places})`;
  return refusal(query, 'COMMAND_NOT_FOUND', message);
}

/** The folders that were searched, each once, as many as a message can bear. */
function shortPath(searched: string): string {
  const folders = [...new Set(searched.split(path.delimiter))];
  const more = folders.length - MAX_SHOWN_FOLDERS;
  return `${folders.slice(0, MAX_SHOWN_FOLDERS).join(path.delimiter)}${more > 0 ? ` and ${more} more` : ''}`;
}

function refusal(query: ExecutableQuery, code: ConnectionErrorCode, message: string): McpConnectionError {
  const { server, command } = query;
  return new McpConnectionError({ code, server, transport: `stdio: ${command}`, message: `${server}: ${message}` });
}
