import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { McpConnectionError } from '../errors.ts';
import { resolveExecutable } from './executable.ts';
import type { ExecutableQuery } from './executable.ts';

let root = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fairlead-executable-'));
  await mkdir(path.join(root, 'bin'));
  await mkdir(path.join(root, 'later'));
  for (const [name, text, mode] of [
    ['bin/tool', '#!/bin/sh\n', 0o755],
    ['later/tool', '#!/bin/sh\n', 0o755],
    ['bin/plain', 'text', 0o644],
    ['later/plain', '#!/bin/sh\n', 0o755],
    ['bin/notes', 'text', 0o644],
    ['bin/orphan', '#!/no/such/python3 -u\n', 0o755],
  ] as const) {
    await writeFile(path.join(root, name), text);
    await chmod(path.join(root, name), mode);
  }
});

afterAll(async () => {
  await rm(root, { recursive: true });
});

const resolve = async (query: Partial<ExecutableQuery>): Promise<string> => {
  const found = await resolveExecutable({
    server: 'files',
    command: 'tool',
    path: `${root}/bin:${root}/later`,
    ...query,
  });
  return path.relative(root, found);
};
const failure = async (query: Partial<ExecutableQuery>): Promise<unknown> => {
  const error: unknown = await resolve(query).catch((thrown: unknown) => thrown);
  if (!(error instanceof McpConnectionError)) return error;
  const { code, serverName, transport, message } = error;
  return { code, serverName, transport, message: message.replaceAll(root, '<root>') };
};
const refused = (code: string, command: string, message: string): unknown => ({
  code,
  serverName: 'files',
  transport: `stdio: ${command}`,
  message,
});

describe('resolveExecutable', () => {
  test('finds a command in the first directory of the PATH that has it', async () => {
    expect(await resolve({})).toBe('bin/tool');
  });

  test('passes over a file that is not executable', async () => {
    expect(await resolve({ command: 'plain' })).toBe('later/plain');
  });

  test("takes a path as it is seen from the server's directory", async () => {
    expect(await resolve({ command: './tool', cwd: path.join(root, 'later') })).toBe('later/tool');
    expect(await resolve({ command: path.join(root, 'bin/tool') })).toBe('bin/tool');
  });

  test('looks in the usual places when there is no PATH', async () => {
    expect(await resolve({ command: 'sh', path: undefined })).toMatch(/bin\/sh$/);
  });

  test('says which command is missing, where it was looked for and what to do', async () => {
    expect(await failure({ command: 'nosuch' })).toEqual(
      refused(
        'COMMAND_NOT_FOUND',
        'nosuch',
        "files: command 'nosuch' not found on PATH; install it, or give its full path (searched: <root>/bin:<root>/later)",
      ),
    );
  });

  test('a long PATH is told by its first folders', async () => {
    const searched = ['/a', '/b', '/a', '/c', '/d', '/e', '/f', '/g', '/h'].join(path.delimiter);
    expect(await failure({ command: 'nosuch', path: searched })).toMatchObject({
      message:
        "files: command 'nosuch' not found on PATH; install it, or give its full path (searched: /a:/b:/c:/d:/e:/f and 2 more)",
    });
  });

  test.for(['nosuch -y server', 'nosuch ./server.js'])('says that arguments belong into args: %s', async (command) => {
    expect(await failure({ command })).toMatchObject({
      message: `files: command '${command}' not found; a command is one program: give 'nosuch' as the command and the rest as args`,
    });
  });

  test('says which file is missing', async () => {
    expect(await failure({ command: './nosuch', cwd: path.join(root, 'bin') })).toEqual(
      refused('COMMAND_NOT_FOUND', './nosuch', "files: command './nosuch' not found: <root>/bin/nosuch does not exist"),
    );
  });

  test('says that a file is not executable', async () => {
    const advice = 'is not an executable file; make it one (chmod +x) or name another command';
    expect(await failure({ command: 'notes' })).toEqual(
      refused('SPAWN_FAILED', 'notes', `files: <root>/bin/notes ${advice}`),
    );
    expect(await failure({ command: './bin', cwd: root })).toEqual(
      refused('SPAWN_FAILED', './bin', `files: <root>/bin ${advice}`),
    );
  });

  test('says that the program a script is written for is missing', async () => {
    const message =
      "files: <root>/bin/orphan is a script for '/no/such/python3', which does not exist; reinstall the command";
    expect(await failure({ command: 'orphan' })).toEqual(refused('COMMAND_NOT_FOUND', 'orphan', message));
  });

  test('says that the working directory is missing, or is none', async () => {
    const advice = 'create it or change cwd';
    const missing = refused(
      'SPAWN_FAILED',
      'tool',
      `files: the working directory '<root>/gone' does not exist; ${advice}`,
    );
    expect(await failure({ cwd: path.join(root, 'gone') })).toEqual(missing);
    const noDirectory = refused(
      'SPAWN_FAILED',
      'tool',
      `files: the working directory '<root>/bin/tool' is not a directory; ${advice}`,
    );
    expect(await failure({ cwd: path.join(root, 'bin/tool') })).toEqual(noDirectory);
  });
});
