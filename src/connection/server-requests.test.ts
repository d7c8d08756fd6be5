import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { ServerRequests } from './server-requests.ts';
import type { ServerRequestHandlers } from './server-requests.ts';

const named = (name: string): ServerRequestHandlers => ({
  elicitation: async () => ({ action: 'accept', content: { name } }),
  sampling: async () => ({ role: 'assistant', model: name, content: { type: 'text', text: name } }),
  roots: async () => [{ uri: `file:///${name}` }],
});

test('offers nothing by default, and what is allowed or given otherwise', () => {
  const both = { elicitation: true, sampling: true };
  expect([capabilities({}, {}), capabilities(both, {}), capabilities({}, named('hub'))]).toEqual([
    {},
    { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: { tools: {} } },
    { roots: {} },
  ]);
});

test('the only call in flight answers', async () => {
  const { requests, ask } = open(named('hub'));
  expect(await ask('elicitation/create')).toMatchObject({ content: { name: 'hub' } });
  const handlers = named('call');
  requests.begin(handlers);
  expect(await ask('elicitation/create')).toMatchObject({ content: { name: 'call' } });
  expect(await ask('sampling/createMessage')).toMatchObject({ model: 'call' });
  expect(await ask('roots/list')).toEqual({ roots: [{ uri: 'file:///call' }] });
  requests.end(handlers);
  expect(await ask('elicitation/create')).toMatchObject({ content: { name: 'hub' } });
});

test('with several calls in flight the hub answers, even if all were given the same handlers', async () => {
  const { requests, ask } = open(named('hub'));
  const same = named('call');
  requests.begin(same);
  requests.begin(same);
  expect(await ask('elicitation/create')).toMatchObject({ content: { name: 'hub' } });
  requests.end(same);
  expect(await ask('elicitation/create')).toMatchObject({ content: { name: 'call' } });
});

test('a call that brought no handler leaves the question to the hub', async () => {
  const { requests, ask } = open(named('hub'));
  requests.begin({});
  expect(await ask('roots/list')).toEqual({ roots: [{ uri: 'file:///hub' }] });
});

test('what nobody answers is declined or refused', async () => {
  const { ask } = open({});
  expect(await ask('elicitation/create')).toEqual({ action: 'decline' });
  await expect(ask('sampling/createMessage')).rejects.toMatchObject({ code: -32_601 });
});

type Handler = (request: unknown, context: unknown) => unknown;

function open(fallback: ServerRequestHandlers): {
  readonly requests: ServerRequests;
  readonly ask: (method: string) => Promise<unknown>;
} {
  const requests = new ServerRequests({ server: 'x', allows: { elicitation: true, sampling: true }, fallback });
  const registered = new Map<string, Handler>();
  requests.register({
    setRequestHandler: (method: string, handler: Handler) => registered.set(method, handler),
  } as unknown as Client);
  const context = { mcpReq: { signal: new AbortController().signal } };
  return { requests, ask: async (method) => registered.get(method)?.({ method, params: {} }, context) };
}

function capabilities(
  allows: Partial<Record<'elicitation' | 'sampling', boolean>>,
  fallback: ServerRequestHandlers,
): unknown {
  return new ServerRequests({
    server: 'x',
    allows: { elicitation: false, sampling: false, ...allows },
    fallback,
  }).capabilities;
}
