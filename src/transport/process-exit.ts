import type { ChildProcessByStdio } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../clock.ts';
import { settlesWithin } from './settles-within.ts';

/** A child that was started, with pipes to all its streams. */
export type ServerChild = ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number };

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

const SIGNALLED = 128;
const UNSHARE_FAILURE = 1;
const LAST_WORDS_LIMIT_MS = 200;
// What unshare says, before it exits with 1, when the signal of its child is one that it cannot take itself.
const KILLED_CHILD = /unshare: sigprocmask unblock failed: [^\n]*\n$/;
const LAST_WORDS_BYTES = 256;

/** The end of a child that is the server itself. */
export function exitOf(child: ServerChild): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** The end of a server behind bubblewrap, which tells of a signal by a code, as shells do. */
export async function exitBehindBubblewrap(child: ServerChild): Promise<ProcessExit> {
  const exit = await exitOf(child);
  const number = (exit.exitCode ?? 0) - SIGNALLED;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return signal === undefined ? exit : { exitCode: null, signal };
}

/** The end of a server behind `unshare`, which passes on every code and signal but SIGKILL. */
export async function exitBehindUnshare(child: ServerChild): Promise<ProcessExit> {
  let lastWords = '';
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk.toString('latin1')}`.slice(-LAST_WORDS_BYTES);
  });
  const silent = new Promise<void>((resolve) => {
    child.stderr.once('close', resolve);
  });
  const exit = await exitOf(child);
  if (exit.exitCode !== UNSHARE_FAILURE) return exit;
  await settlesWithin(silent, { clock: systemClock, ms: LAST_WORDS_LIMIT_MS });
  return KILLED_CHILD.test(lastWords) ? { exitCode: null, signal: 'SIGKILL' } : exit;
}
