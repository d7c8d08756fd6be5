import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  // The examples import the package by its name, as its users do.
  resolve: { alias: [{ find: /^fairlead$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) }] },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Breaking servers has a command of its own, `npm run faults`, and so has looking for secrets, `npm run secrets`.
    exclude: [...configDefaults.exclude, 'test/faults/!(fault-row).test.ts', 'test/secrets/**'],
    globalSetup: ['test/fixtures/bundle-servers.ts'],
    // Most tests wait for processes, not for the processor.
    maxWorkers: 3,
    // No module of ours keeps state, and loading the SDK anew for each file costs a fifth of the whole run.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
// oxlint-disable-next-line no-default-export -- vitest reads the default export
export default config;
