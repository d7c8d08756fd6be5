import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Environment } from './child-environment.ts';
import { settlesWithin } from './settles-within.ts';

const LIMIT_MS = 5000;
const COMPLAINT_LENGTH = 200;

/** Runs a command to see whether this machine lets it; why it failed, or undefined when it did not. */
export async function complaintOf(
  [command = '', ...args]: readonly string[],
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
): Promise<string | undefined> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const program = basename(command);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, COMPLAINT_LENGTH);
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : said.trim() || `${program} exited with ${code}`));
  });
  if (await settlesWithin(ended, { clock, ms: LIMIT_MS })) return ended;
  child.kill('SIGKILL');
  return `${program} gave no answer`;
}
