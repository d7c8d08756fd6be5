import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Hub, IsolationConfig, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import type { SandboxFields } from '../../src/isolation/sandbox-config.ts';
import { needingSandbox, sandboxGap } from '../fixtures/sandbox-here.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { prying, tell } from './prying-hub.ts';

function isolated(sandbox: SandboxFields, ...domains: readonly string[]): IsolationConfig {
  const networkPolicy = NetworkPolicy.withDomains(...domains);
  return new IsolationConfig({ networkPolicy, sandbox: new SandboxConfig(sandbox) });
}

describe.skipIf(sandboxGap !== undefined)(needingSandbox('ways out of a sandbox that are closed'), () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await openTemporaryFolder();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await folder[Symbol.asyncDispose]();
  });

  test('[S1.sandbox] what a program loads by its environment, bubblewrap does not load outside', async () => {
    // The loader writes what it does into a file, and thus shows whether it was asked outside.
    const env = { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: folder.file('loaded') };
    await using hub = new Hub({ servers: [prying('loading', { env, isolation: isolated({ enabled: true }) })] });
    expect(await tell(hub, ['loading', 'variable', 'LD_DEBUG'])).toBe('files');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('[S1.sandbox] a link that a server puts in the place of a declared path opens nothing at its next start', async () => {
    for (const name of ['out/a/b', 'secret']) await mkdir(folder.file(name), { recursive: true });
    await writeFile(folder.file('secret/key'), 'hush');
    const sandbox = { readablePaths: [folder.file('out/a/b')], writablePaths: [folder.file('out')] };
    await using hub = new Hub({ servers: [prying('linking', { isolation: isolated(sandbox) })] });
    await hub.connect('linking');
    await rename(folder.file('out/a'), folder.file('out/z'));
    await mkdir(folder.file('out/a'));
    await symlink(folder.file('secret'), folder.file('out/a/b'));
    await expect(hub.reconnect('linking')).rejects.toMatchObject({
      code: 'SPAWN_FAILED',
      message: `linking: ${folder.file('out/a/b')} leads out of a folder that the server may write, by a link that it may have made itself; remove the link, or name where it leads`,
    });
  });

  test.each([
    ['that may read the folder of temporary files', (path: string): SandboxFields => ({ readablePaths: [path] })],
    ['of which only the network is confined', (): SandboxFields => ({ enabled: false })],
  ])('[S1.egress] a server %s finds neither the ways out nor the HOME of others', async (_, sandboxFor) => {
    vi.stubEnv('TMPDIR', folder.path);
    const one = prying('one', { isolation: isolated({}, 'one.example.com') });
    const two = prying('two', { isolation: isolated(sandboxFor(folder.path), 'two.example.com') });
    await using hub = new Hub({ servers: [one, two] });
    await hub.connectAll();
    const [boxes = ''] = readdirSync(folder.path);
    const own = readdirSync(folder.file(boxes));
    expect(own).toHaveLength(2);
    const seen = (await tell(hub, ['two', 'list', folder.file(boxes)])).split(' ').filter((name) => name !== '');
    expect(seen.length).toBeLessThan(2);
    await hub.close();
    expect(existsSync(folder.file(boxes))).toBe(false);
  });
});
