import { inject } from 'vitest';
import { VARIABLE } from './canaries.mjs';
import { isSpared } from './exceptions.ts';
import { currentPlace } from './sink-watch.ts';

const WATCH = new URL('watch-command.mjs', import.meta.url).href;
const NO_SCRUBBER = new URL('../fixtures/processes/no-scrubber.mjs', import.meta.url).href;

/** The environment of a command whose servers hold canaries, and whose output is searched. */
export function commandEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = currentPlace();
  if (isSpared(at)) return env;
  const { seed, folder, isScrubbing } = inject('canaries');
  const options = [env['NODE_OPTIONS'] ?? '', `--import=${WATCH}`, isScrubbing ? '' : `--import=${NO_SCRUBBER}`];
  return {
    ...env,
    NODE_OPTIONS: options.filter(Boolean).join(' '),
    [VARIABLE]: JSON.stringify({ seed, folder, at }),
  };
}
