import type { resolveSecrets } from '../../src/config/resolve-secrets.ts';

/** The resolver of secrets, for servers that hold canaries beside what they are declared with. */
export declare function planting(resolve: typeof resolveSecrets, isSpared?: () => boolean): typeof resolveSecrets;

/** How many servers were given canaries in a run. */
export declare function plantedCount(folder: string): number;
