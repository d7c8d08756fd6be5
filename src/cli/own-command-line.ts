import { basename } from 'node:path';
import type { Command } from './command.ts';
import { shortPath } from './short-path.ts';

/** How the person who started us can start us again with other words, on the same config. */
export function ownCommandLine(
  command: Pick<Command, 'env' | 'script' | 'cwd' | 'flags'>,
  words: readonly string[],
): string {
  const { config } = command.flags;
  const all = [...words, ...(config === undefined ? [] : ['--config', config])];
  return [programName(command), ...all.map(shellWord)].join(' ');
}

function programName({ env, script, cwd }: Pick<Command, 'env' | 'script' | 'cwd'>): string {
  const event = env['npm_lifecycle_event'];
  if (event === 'start') return 'npm start --';
  if (event === 'npx') return 'npx fairlead';
  return basename(script) === 'main.js' ? `node ${shellWord(shortPath(script, cwd))}` : 'fairlead';
}

function shellWord(word: string): string {
  return /^[\w./:@%+=~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
