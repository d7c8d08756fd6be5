import { chmod, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { systemClock } from '../clock.ts';
import { SandboxProbe } from './sandbox-probe.ts';

function probeIn(path: string): SandboxProbe {
  return new SandboxProbe({ env: { PATH: path }, clock: systemClock });
}

describe.runIf(process.platform === 'linux')('[S1.sandbox] whether there is a sandbox', () => {
  test('is told with what to install, where bubblewrap is missing', async () => {
    expect(await probeIn('/nowhere').verdict()).toEqual({
      kind: 'unavailable',
      cause: 'bubblewrap is not installed',
      fix: expect.stringContaining('apt-get install bubblewrap socat') as string,
    });
  });

  test('is told with what bubblewrap said and what to do, where it is not allowed', async () => {
    await using folder = await openTemporaryFolder();
    await fake(folder, 'bwrap', 'echo "bwrap: setting up uid map: Operation not permitted" >&2; exit 1');
    expect(await probeIn(folder.path).verdict()).toEqual({
      kind: 'unavailable',
      cause: 'user ids cannot be mapped into a namespace (bwrap: setting up uid map: Operation not permitted)',
      fix: expect.stringContaining('CAP_SETFCAP') as string,
    });
  });

  test('is tried once, by making one, and socat is found beside it', async () => {
    await using folder = await openTemporaryFolder();
    await fake(folder, 'bwrap', `echo "$@" >>'${folder.file('log')}'`);
    await fake(folder, 'socat', '');
    const probe = probeIn(folder.path);
    const [first, second] = await Promise.all([probe.verdict(), probe.verdict()]);
    expect(second).toBe(first);
    expect(first).toEqual({ kind: 'available', bwrap: folder.file('bwrap'), socat: folder.file('socat') });
    expect(folder.lines('log')).toEqual([
      expect.stringMatching(/^--unshare-user .*--unshare-net .*-- \/bin\/sh -c :$/),
    ]);
  });
});

async function fake(folder: TemporaryFolder, name: string, script: string): Promise<void> {
  await writeFile(folder.file(name), `#!/bin/sh\n${script}\n`);
  await chmod(folder.file(name), 0o755);
}
