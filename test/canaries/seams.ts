import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

interface Seam {
  /** What the importer's path ends in; all importers if it is left out. */
  readonly importer?: string;
  readonly module: string;
  readonly standIn: string;
}

const SEAMS: readonly Seam[] = [
  { importer: '/src/hub/connection-pool.ts', module: '/resolve-secrets.ts', standIn: 'planted-resolve-secrets.ts' },
  { importer: '/src/hub/connection-pool.ts', module: '/logger.ts', standIn: 'watched-logger.ts' },
  { importer: '/src/bridge/caller.ts', module: '/call-trace.ts', standIn: 'watched-call-trace.ts' },
  { module: '/temporary-folder.ts', standIn: 'watched-temporary-folder.ts' },
];

/** What a run loads that plants canaries and searches for them; the seams are needed, too. */
export const CANARY_FILES: { readonly globalSetup: string; readonly setupFiles: string } = {
  globalSetup: 'test/canaries/canary-run.ts',
  setupFiles: 'test/canaries/watch-sinks.ts',
};

/** Has a few modules stood in for by ones that plant canaries or search what passes through them. */
export function canarySeams(): Plugin {
  return {
    name: 'canary-seams',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (importer.includes('/test/canaries/')) return undefined;
      const seam = SEAMS.find((each) => source.endsWith(each.module) && importer.endsWith(each.importer ?? ''));
      return seam && fileURLToPath(new URL(seam.standIn, import.meta.url));
    },
  };
}
