import { configDefaults, mergeConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import { CANARY_FILES, canarySeams } from './test/canaries/seams.ts';
import suite from './vitest.config.ts';

// The whole suite, and the tests of secrets alone: every server holds secrets and tells them, and every sink is searched.
const config: ViteUserConfig = mergeConfig(suite, { plugins: [canarySeams()], test: CANARY_FILES });
// Merging would only add to what is left out. Whether tests pass is for `npm test` to say, which never tries twice; here a secret that is seen counts, however often it is tried.
config.test = { ...config.test, retry: 1, exclude: [...configDefaults.exclude, 'test/faults/!(fault-row).test.ts'] };
// oxlint-disable-next-line no-default-export -- vitest reads the default export
export default config;
