import { isAbsolute, join } from 'node:path';

/** Where Fairlead keeps what it has learned between runs: catalogs, eras, events, tokens. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const own = env['FAIRLEAD_HOME'];
  if (own !== undefined && own !== '') return own;
  const state = env['XDG_STATE_HOME'];
  // The XDG specification has relative paths ignored.
  return join(state !== undefined && isAbsolute(state) ? state : join(home, '.local', 'state'), 'fairlead');
}
