import { join } from 'node:path';

/** Where catalogs are kept in the state folder. */
export function catalogFolder(state: string): string {
  return join(state, 'catalog');
}
