import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Hub, IsolationConfig, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import { commandLineOf, processesMarked } from '../fixtures/processes.ts';
import { needingSandbox, sandboxGap } from '../fixtures/sandbox-here.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { prying, tell } from './prying-hub.ts';

const SECRET = 'hush-hush-in-the-sandbox';

describe.skipIf(sandboxGap !== undefined)(needingSandbox('a server in a sandbox, and the same server outside'), () => {
  let folder: TemporaryFolder;
  let hub: Hub;

  beforeAll(async () => {
    folder = await openTemporaryFolder();
    for (const name of ['in', 'out', 'outside', 'kept']) await mkdir(folder.file(name));
    for (const name of ['in/file', 'outside/file']) await writeFile(folder.file(name), `text of ${name}`);
    await symlink(folder.file('outside'), folder.file('out/link'));
    const sandbox = new SandboxConfig({
      enabled: true,
      readablePaths: [folder.file('in')],
      writablePaths: [folder.file('out')],
    });
    const networkPolicy = NetworkPolicy.noNetwork();
    hub = new Hub({
      servers: [
        prying('boxed', { env: { TOKEN: SECRET, MARK: `boxed-${folder.path}` } }),
        prying('kept', { isolation: new IsolationConfig({ sandbox, networkPolicy, home: folder.file('kept') }) }),
        prying('free', { isolation: 'off' }),
      ],
      isolation: new IsolationConfig({ sandbox, networkPolicy, env: { SHARED: 'by the isolation' } }),
    });
    await hub.connectAll();
  });

  afterAll(async () => {
    await hub.close();
    await folder[Symbol.asyncDispose]();
  });

  /** What both say to the same. */
  async function both(tool: string, message = ''): Promise<readonly string[]> {
    return [await tell(hub, ['free', tool, message]), await tell(hub, ['boxed', tool, message])];
  }

  test('[S1.sandbox] writes only where it may', async () => {
    expect(await both('write', folder.file('outside/free'))).toEqual(['written', 'ENOENT']);
    expect(await both('write', folder.file('in/file'))).toEqual(['written', 'EROFS']);
    expect(await both('write', folder.file('out/link/through'))).toEqual(['written', 'ENOENT']);
    expect(await tell(hub, ['boxed', 'write', folder.file('out/link/other')])).toBe('ENOENT');
    expect(existsSync(folder.file('outside/other'))).toBe(false);
    expect(await both('write', folder.file('out/file'))).toEqual(['written', 'written']);
    expect(readFileSync(folder.file('out/file'), 'utf8')).toBe('written');
    expect(await tell(hub, ['boxed', 'write', '/usr/written'])).toBe('EROFS');
    expect(await tell(hub, ['boxed', 'write', '/written'])).toBe('EROFS');
  });

  test('[S1.sandbox] reads only where it may, and its own program', async () => {
    expect(await both('read', folder.file('outside/file'))).toEqual(['text of outside/file', 'ENOENT']);
    expect(await tell(hub, ['boxed', 'read', folder.file('in/file')])).toMatch(/^text of in|^written/);
    expect(await both('list', folder.path)).toEqual(['in kept out outside', 'in out']);
    const [free = '', boxed = ''] = await both('list', '/etc');
    expect([free.includes('shadow'), boxed.includes('shadow')]).toEqual([true, false]);
  });

  test('[S1.sandbox] has a /tmp of its own, that nobody else sees', async () => {
    expect(await tell(hub, ['boxed', 'write', '/tmp/fairlead-sandbox-test'])).toBe('written');
    expect([existsSync('/tmp/fairlead-sandbox-test'), await tell(hub, ['boxed', 'list', '/tmp'])]).toEqual([
      false,
      expect.stringContaining('fairlead-sandbox-test'),
    ]);
  });

  test('[S1.home] has a HOME of its own, in which it may write', async () => {
    expect(await both('variable', 'HOME')).toEqual([process.env['HOME'], '/sandbox/home']);
    expect(await tell(hub, ['boxed', 'write', '/sandbox/home/file'])).toBe('written');
    expect(await tell(hub, ['kept', 'list', '/sandbox/home'])).toBe('');
  });

  test('[S1.home] that stays, if a folder is given for it', async () => {
    expect(await tell(hub, ['kept', 'write', '/sandbox/home/file'])).toBe('written');
    expect(readFileSync(folder.file('kept/file'), 'utf8')).toBe('written');
  });

  test('sees no process but its own', async () => {
    const [free = '', boxed = ''] = (await both('list', '/proc')).map((names) =>
      names.replaceAll(/[^\d ]+/g, '').trim(),
    );
    expect(boxed.split(/ +/).length).toBeLessThan(5);
    expect(free.split(/ +/)).toContain('1');
  });

  test('changes nothing of the kernel, also if we are root', async () => {
    // No number, so that nothing happens where it can be written.
    expect(['EROFS', 'EACCES']).toContain(await tell(hub, ['boxed', 'write', '/proc/sys/vm/drop_caches']));
  });

  test('stays in the same folder, of which it sees nothing else than its program', async () => {
    expect(await both('cwd')).toEqual([process.cwd(), process.cwd()]);
  });

  test('[S2.credentials] gets its secrets by its environment, and no command line shows them', async () => {
    expect([await tell(hub, ['boxed', 'variable', 'TOKEN']), await tell(hub, ['boxed', 'variable', 'SHARED'])]).toEqual(
      [SECRET, 'by the isolation'],
    );
    const lines = processesMarked(`MARK=boxed-${folder.path}\0`).map((pid) => commandLineOf(pid).join(' '));
    expect(lines.some((line) => line.includes('bwrap'))).toBe(true);
    expect(lines.filter((line) => line.includes(SECRET))).toEqual([]);
  });

  test('status says what holds it, and that nothing holds the other', () => {
    const shown = hub
      .status()
      .map(({ name, isolation, confinement, warnings }) => ({ name, isolation, confinement, warnings }));
    const confinement = { files: 'confined', network: [] };
    expect(shown).toEqual([
      { name: 'boxed', isolation: 'required', confinement, warnings: undefined },
      { name: 'kept', isolation: 'required', confinement, warnings: undefined },
      { name: 'free', isolation: 'off', confinement: undefined, warnings: undefined },
    ]);
  });

  test('its pid is that of the server itself', () => {
    const { pid = 0 } = hub.serverStatus('boxed');
    expect(commandLineOf(pid)[0]).toBe(process.execPath);
  });
});
