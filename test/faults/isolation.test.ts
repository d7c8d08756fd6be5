import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { IsolationConfig, NetworkPolicy, SandboxConfig } from '../../src/index.ts';
import type { McpServer } from '../../src/index.ts';
import { fixturePath } from '../fixtures/fixture-paths.ts';
import { commandLineOf } from '../fixtures/processes.ts';
import { sandboxGap } from '../fixtures/sandbox-here.ts';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

faultRow(
  {
    row: 44,
    fault: 'sandbox unavailable',
    proves: '[S1.sandbox]',
    expected: 'required: refused at once with cause and fix; preferred: started, with a loud status',
    bench: { sandbox: 'off' },
  },
  async (bench) => {
    const strict = await bench.failure(bench.hub.connect('strict', prying(bench, 'strict', { mode: 'required' })));
    expect([strict.code, bench.processesOf('strict'), bench.hub.serverStatus('strict').restarts]).toEqual([
      'ISOLATION_UNAVAILABLE',
      [],
      0,
    ]);
    expect(strict.message).toMatch(
      /bubblewrap is not installed; install it, as with `apt-get install bubblewrap socat`/,
    );
    await bench.bystanderAnswers();
    const easy = await bench.hub.connect('easy', prying(bench, 'easy', { mode: 'preferred' }));
    const warnings = easy.warnings ?? [];
    expect([easy.phase, easy.confinement?.files]).toEqual(['connected', 'open']);
    expect(warnings).toEqual([
      expect.stringMatching(/^NOT ISOLATED, although it should be: bubblewrap is not installed/),
    ]);
    return `required: ${strict.code}, no process; preferred: ${easy.phase}, '${warnings[0]?.slice(0, 36)}…'`;
  },
);

faultRow(
  {
    row: 45,
    fault: 'the way out of a sandbox dies',
    proves: '[S1.egress]',
    expected: 'egress fails closed; the way is made again, and a restart of the server makes all of it again',
    bench: { time: 'real' },
    skipped: sandboxGap,
  },
  async (bench) => {
    const web = await openWeb();
    const domains = [`localhost:${web.port}`];
    await bench.hub.connect('boxed', prying(bench, 'boxed', { mode: 'required', domains }));
    const fetched = (): Promise<string> => say(bench, 'boxed', ['fetch', `http://localhost:${web.port}/`]);
    expect(await fetched()).toBe('200 reached');
    kill(forwarders(bench, 'boxed'));
    await bench.bystanderAnswers();
    const meanwhile = await say(bench, 'boxed', ['connect', `127.0.0.1:${web.port}`]);
    await until(async () => (await fetched()) === '200 reached', { describe: 'the way out is there again' });
    kill(helpers(bench, 'boxed'));
    // One of them may have started another one just before.
    await until(() => !isAnyKilled(helpers(bench, 'boxed')), { describe: 'no helper is left' });
    const [dead, past] = [await fetched(), await say(bench, 'boxed', ['connect', `127.0.0.1:${web.port}`])];
    expect([meanwhile, past]).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
    // A connection that stood when it died is reset.
    expect(dead).toMatch(/^ECONN(?:REFUSED|RESET)$/);
    await bench.hub.reconnect('boxed');
    const after = await fetched();
    expect(after).toBe('200 reached');
    await web.close();
    return `while dead: ${dead}, and ${past} past it; made again by itself, and by a restart: ${after}`;
  },
);

faultRow(
  {
    row: 46,
    fault: 'write and egress outside the policy',
    proves: '[S1.sandbox] [S1.egress]',
    expected: 'EROFS or ENOENT, nothing written; 403 and sandbox-denied with the target; the same succeeds outside',
    bench: { time: 'real' },
    skipped: sandboxGap,
  },
  async (bench) => {
    const web = await openWeb();
    const { folder } = bench;
    for (const name of ['seen', 'unseen']) await mkdir(folder.file(name));
    const boxed = prying(bench, 'boxed', {
      mode: 'required',
      domains: ['api.github.com'],
      readable: [folder.file('seen')],
    });
    await bench.hub.connect('boxed', boxed);
    await bench.hub.connect('free', prying(bench, 'free', { mode: 'off' }));
    const both = async (act: Act, control: Act = act): Promise<readonly string[]> => [
      await say(bench, 'boxed', act),
      await say(bench, 'free', control),
    ];
    const seen = await both(['write', folder.file('seen/boxed')], ['write', folder.file('seen/free')]);
    const unseen = await both(['write', folder.file('unseen/boxed')], ['write', folder.file('unseen/free')]);
    await bench.bystanderAnswers();
    const [denied, reached] = await both(['fetch', `http://127.0.0.1:${web.port}/`]);
    expect([seen, unseen, reached]).toEqual([['EROFS', 'written'], ['ENOENT', 'written'], '200 reached']);
    const written = ['seen/boxed', 'unseen/boxed', 'seen/free', 'unseen/free'].filter((name) =>
      existsSync(folder.file(name)),
    );
    expect(written).toEqual(['seen/free', 'unseen/free']);
    expect(denied).toMatch(/^403 127\.0\.0\.1:\d+ is blocked/);
    const events = bench.events.filter((event) => event.type === 'sandbox-denied');
    expect(events).toEqual([expect.objectContaining({ server: 'boxed', target: `127.0.0.1:${web.port}` })]);
    await web.close();
    return `write: ${seen[0]} and ${unseen[0]}; egress: ${denied?.slice(0, 3)} and ${events.length} sandbox-denied with its target`;
  },
);

interface Wish {
  readonly mode: 'required' | 'preferred' | 'off';
  readonly domains?: readonly string[];
  readonly readable?: readonly string[];
}

function prying(bench: FaultBench, name: string, { mode, domains, readable = [] }: Wish): McpServer {
  const isolation = new IsolationConfig({
    sandbox: new SandboxConfig({ mode, readablePaths: readable }),
    ...(domains && { networkPolicy: NetworkPolicy.withDomains(...domains) }),
  });
  return bench.stdio(name, [process.execPath, fixturePath('prying-server.mjs')], { isolation });
}

/** A tool of the server, and what it is to try. */
type Act = readonly [tool: string, message: string];

async function say(bench: FaultBench, server: string, [tool, message]: Act): Promise<string> {
  const { content } = await bench.call(server, tool, message);
  return String(content[0]?.['text']);
}

function kill(pids: readonly number[]): void {
  expect(isAnyKilled(pids)).toBe(true);
}

function isAnyKilled(pids: readonly number[]): boolean {
  return pids.map(isKilled).includes(true);
}

/** Those that pass on a single connection end by themselves. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** What passes connections on, inside the sandbox. */
function forwarders(bench: FaultBench, server: string): readonly number[] {
  return bench.processesOf(server).filter((pid) => {
    const [program = '', flag = ''] = commandLineOf(pid);
    return program.endsWith('socat') || (program === process.execPath && flag === '-e');
  });
}

/** That, and what starts it again. */
function helpers(bench: FaultBench, server: string): readonly number[] {
  const shells = bench.processesOf(server).filter((pid) => commandLineOf(pid)[0] === '/bin/sh');
  return [...shells, ...forwarders(bench, server)];
}

async function openWeb(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const web: Server = createServer((_, answer) => answer.end('reached'));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  return {
    port: (web.address() as AddressInfo).port,
    close: async () => {
      web.closeAllConnections();
      web.close();
      await once(web, 'close');
    },
  };
}
