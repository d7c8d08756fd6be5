import { commandLineOf } from '../fixtures/processes.ts';

/** Both ways in which a hub can run its servers. */
export const NAMESPACES: readonly { readonly pidNamespace: 'auto' | 'off'; readonly wish: string }[] = [
  { pidNamespace: 'auto', wish: 'pid namespaces where they can be had' },
  { pidNamespace: 'off', wish: 'no pid namespaces' },
];

/** Which of the two ways the processes of a server show. */
export function namespaceOf(pids: readonly number[]): string {
  const isWrapped = pids.some((pid) => commandLineOf(pid)[0]?.endsWith('/unshare'));
  return isWrapped ? 'in a pid namespace' : 'without a pid namespace';
}
