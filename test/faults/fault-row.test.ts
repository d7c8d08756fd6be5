import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { OWNER_VARIABLE } from '../../src/transport/child-environment.ts';
import { alive } from '../fixtures/processes.ts';
import { BYSTANDER } from './fault-bench.ts';
import type { FaultBench } from './fault-bench.ts';
import { runRow } from './fault-row.ts';

const IMPATIENCE_MS = 300;

test('a row that breaks nothing passes, and gives what was observed', async () => {
  expect(await run(async () => 'nothing happened')).toBe('nothing happened');
});

test('a process that is left behind makes a row fail, and is ended', async () => {
  let pid = 0;
  const failing = run(async (bench) => {
    pid = leaveProcess({ [OWNER_VARIABLE]: bench.mark });
    return '';
  });
  await expect(failing).rejects.toThrow(/process \d+ is alive/);
  await expect.poll(() => alive(pid)).toBe(false);
});

test('a process that is left behind by a process of ours makes a row fail by its mark alone', async () => {
  const script = `require('node:child_process').spawn('sleep', ['60'], { detached: true, stdio: 'ignore' }).unref()`;
  const failing = run(async (bench) => {
    const between = spawn(process.execPath, ['-e', script], {
      stdio: 'ignore',
      env: { ...process.env, [OWNER_VARIABLE]: bench.mark },
    });
    await once(between, 'exit');
    return '';
  });
  await expect(failing).rejects.toThrow(/process \d+ is alive/);
});

test('a child without any mark makes a row fail', async () => {
  await expect(run(async () => String(leaveProcess({})))).rejects.toThrow(/process \d+ is alive/);
});

test('a timer that still runs makes a row fail', async () => {
  let timer: NodeJS.Timeout | undefined;
  const failing = run(async () => {
    timer = setInterval(() => undefined, 60_000);
    return '';
  });
  await expect(failing).rejects.toThrow('timers set: 1');
  clearInterval(timer);
});

test('a socket that still listens makes a row fail', async () => {
  const server = createServer();
  const failing = run(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return '';
  });
  await expect(failing).rejects.toThrow('1 TCPServerWrap instead of 0, more files open: 1');
  server.close();
});

test.for(['plain', 'base64', 'hex', 'url', 'json'] as const)(
  'a secret in a log makes a row fail: %s',
  async (spelling) => {
    const failing = run(async (bench) => {
      for (const secret of bench.canaries.values)
        bench.logger.log('trace', 'connecting', { header: spell(secret, spelling) });
      return '';
    });
    await expect(failing).rejects.toThrow('a secret is seen in logs');
  },
);

test('a secret in the cause of an error makes a row fail', async () => {
  const failing = run(async (bench) => {
    const cause = new Error('refused', { cause: { headers: [bench.canaries.values[0]] } });
    bench.errors.push(Object.assign(await bench.failure(bench.hub.connect('unknown')), { cause }));
    return '';
  });
  await expect(failing).rejects.toThrow('a secret is seen in errors');
});

test('an untyped error out of the hub makes a row fail, even when nobody looks at it', async () => {
  const failing = run(async (bench) => {
    await bench.hub.setServers(42 as never).catch(() => undefined);
    return '';
  });
  await expect(failing).rejects.toThrow('an untyped error came out of the hub: TypeError');
});

test('an error that does not name its server makes a row fail', async () => {
  const failing = run(async (bench) => {
    const error = await bench.failure(bench.hub.connect('unknown'));
    bench.errors.push(Object.assign(error, { serverName: undefined }));
    return '';
  });
  await expect(failing).rejects.toThrow('does not say which server');
});

test('a bystander that is hurt makes a row fail', async () => {
  await expect(run((bench) => bench.hub.disconnect(BYSTANDER).then(() => ''))).rejects.toThrow(
    'the bystander gave unavailable',
  );
});

test('a row that does not ask the bystander during the fault fails', async () => {
  await expect(runRow({}, async () => '', IMPATIENCE_MS)).rejects.toThrow('did not ask the bystander');
});

/** Runs a row that asks the bystander as it should. */
function run(breakIt: (bench: FaultBench) => Promise<string>): Promise<string> {
  const breakAndAsk = async (bench: FaultBench): Promise<string> => {
    await bench.bystanderAnswers();
    return breakIt(bench);
  };
  return runRow({}, breakAndAsk, IMPATIENCE_MS);
}

function leaveProcess(env: Readonly<Record<string, string>>): number {
  const child = spawn('sleep', ['60'], { stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
  child.unref();
  return child.pid ?? 0;
}

function spell(secret: string, spelling: 'plain' | 'base64' | 'hex' | 'url' | 'json'): string {
  switch (spelling) {
    case 'plain':
      return secret;
    case 'url':
      return encodeURIComponent(secret);
    case 'json':
      return JSON.stringify({ secret });
    case 'base64':
    case 'hex':
      return Buffer.from(`Bearer ${secret}`).toString(spelling);
  }
}
