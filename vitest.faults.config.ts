import { configDefaults, defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import { CANARY_FILES, canarySeams } from './test/canaries/seams.ts';
import { FaultReport } from './test/faults/fault-report.ts';

const config: ViteUserConfig = defineConfig({
  plugins: [canarySeams()],
  test: {
    ...CANARY_FILES,
    globalSetup: ['test/fixtures/bundle-servers.ts', CANARY_FILES.globalSetup],
    include: ['test/faults/**/*.test.ts'],
    // That one shows that the rows can fail, which is no row.
    exclude: [...configDefaults.exclude, 'test/faults/fault-row.test.ts'],
    reporters: [new FaultReport()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
// oxlint-disable-next-line no-default-export -- vitest reads the default export
export default config;
