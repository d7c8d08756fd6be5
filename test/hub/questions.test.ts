import { describe, expect, test } from 'vitest';
import { Hub, McpServer, textOf } from '../../src/index.ts';
import type { HubOptions, ServerRequestHandlers, StdioOptions } from '../../src/index.ts';
import { v1Stdio, v2Stdio } from '../fixtures/fixture-commands.ts';
import { startHttpServer } from '../fixtures/start-http-server.ts';
import { until } from '../fixtures/until.ts';
import { fromCommand } from './servers.ts';

const ALLOWED: StdioOptions = { elicitation: true, sampling: true };
const handlers: ServerRequestHandlers = {
  elicitation: async (params) => ({
    action: 'accept',
    ...(params.mode !== 'url' && { content: { name: params.message } }),
  }),
  sampling: async ({ messages }) => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: `${messages.length} message` },
  }),
  roots: async ({ server }) => [{ uri: 'file:///work', name: server }],
};

describe.for([
  { era: 'of SDK v1', command: v1Stdio() },
  { era: 'of SDK v2 with a handshake', command: v2Stdio() },
  { era: 'of 2026-07-28', command: v2Stdio('modern-stdio') },
])('what a server $era asks over stdio', ({ command }) => {
  test('is answered by the hub', async () => {
    await using hub = new Hub({ servers: [fromCommand('curious', command, ALLOWED)], handlers });
    expect(await Promise.all(QUESTIONS.map(async (what) => JSON.parse(await ask(hub, what))))).toMatchObject([
      { action: 'accept', content: { name: 'Who are you?' } },
      { action: 'accept' },
      { content: { type: 'text', text: '1 message' }, model: 'test' },
      { roots: [{ uri: 'file:///work', name: 'curious' }] },
    ]);
  });

  test('is answered by the call that runs, rather than by the hub', async () => {
    const elicitation = async (): Promise<{ action: 'decline' }> => ({ action: 'decline' });
    await using hub = new Hub({ servers: [fromCommand('curious', command, ALLOWED)], handlers });
    expect(JSON.parse(await ask(hub, 'form', { elicitation }))).toMatchObject({ action: 'decline' });
  });

  test('is not answered by a hub that was given nobody to answer, or for a server that may not ask', async () => {
    const silent: HubOptions[] = [
      { servers: [fromCommand('curious', command, ALLOWED)] },
      { servers: [fromCommand('curious', command)], handlers: { ...handlers, roots: undefined } as never },
    ];
    for (const options of silent) {
      await using hub = new Hub(options);
      for (const what of ['form', 'sampling', 'roots'] as const) {
        const answer = await ask(hub, what).catch(String);
        expect(answer).not.toMatch(/"accept"|"assistant"|file:/);
      }
      expect(await hub.callTool('curious', 'echo', { arguments: { message: 'x' } })).toMatchObject({ isError: false });
    }
  });
});

test('a server of 2026-07-28 over HTTP gets its answers in a second round', async () => {
  await using remote = await startHttpServer('v2-server.mjs', { mode: 'modern-http' });
  const server = McpServer.http('curious', remote.url, { elicitation: true, sampling: true });
  await using hub = new Hub({ servers: [server], handlers });
  expect(JSON.parse(await ask(hub, 'form'))).toMatchObject({ action: 'accept', content: { name: 'Who are you?' } });
  expect(JSON.parse(await ask(hub, 'roots'))).toMatchObject({ roots: [{ name: 'curious' }] });
});

test('with several calls in flight nobody’s own handler is asked: the hub answers, or the question is refused', async () => {
  for (const [hubHandlers, expected] of [
    [handlers, { action: 'accept', content: { name: 'Who are you?' } }],
    [{}, { action: 'decline' }],
  ] as const) {
    await using hub = new Hub({ servers: [fromCommand('curious', v1Stdio(), ALLOWED)], handlers: hubHandlers });
    let isSlow = false;
    const giveUp = new AbortController();
    const slow = hub.callTool('curious', 'slow', {
      arguments: { ms: 60_000, steps: 600 },
      onProgress: () => (isSlow = true),
      signal: giveUp.signal,
    });
    await until(() => isSlow, { describe: 'another call runs' });
    const elicitation = (): never => {
      throw new Error('nobody can tell whose question it is');
    };
    expect(JSON.parse(await ask(hub, 'form', { elicitation }))).toMatchObject(expected);
    giveUp.abort();
    await expect(slow).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
    expect(JSON.parse(await ask(hub, 'form', { elicitation: async () => ({ action: 'cancel' }) }))).toMatchObject({
      action: 'cancel',
    });
  }
});

const QUESTIONS = ['form', 'url', 'sampling', 'roots'] as const;

async function ask(hub: Hub, what: (typeof QUESTIONS)[number], own?: ServerRequestHandlers): Promise<string> {
  const { content } = await hub.callTool('curious', 'ask', { arguments: { what }, ...(own && { handlers: own }) });
  return textOf(content);
}
