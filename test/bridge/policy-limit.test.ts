import { expect, test } from 'vitest';
import { Caller, Hub, McpServer } from '../../src/index.ts';
import type { ToolPolicy } from '../../src/index.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { until } from '../fixtures/until.ts';
import { nativeTool } from './call-bench.ts';

const silent = (): Promise<never> => new Promise(() => undefined);
const slowCheck: ToolPolicy = { name: 'silent', check: silent };
const slowNote: ToolPolicy = { name: 'silent', onResult: silent };

test.each([
  ['is refused when a policy never answers', slowCheck, 'denied', 'a policy gave no answer within 30000 ms'],
  ['has failed when a policy never takes note of it', slowNote, 'tool-error', 'no answer in time'],
] as const)('a call %s, though its caller set no limit', async (_, policy, outcome, message) => {
  const clock = new ManualClock();
  await using hub = new Hub({ clock });
  const caller = new Caller({ hub, clock, tools: [nativeTool('write', () => 'done')], policies: [policy] });
  const report = caller.call('write');
  await until(() => clock.delaysMs.includes(30_000), { describe: 'the policy is waited for' });
  await clock.advance(30_000);
  expect(await report).toMatchObject({ outcome, message: expect.stringContaining(message) });
});

test('a server is not started for a call that a silent policy has not allowed', async () => {
  const clock = new ManualClock();
  await using hub = new Hub({ clock, servers: [McpServer.stdio('never', 'no-such-command')] });
  const caller = new Caller({ hub, clock, policies: [slowCheck] });
  const report = caller.call({ server: 'never', tool: 'anything' });
  await until(() => clock.pending > 0, { describe: 'the policy is waited for' });
  await clock.advance(30_000);
  expect([(await report).outcome, hub.serverStatus('never').phase]).toEqual(['denied', 'idle']);
});
