import { expect, test } from 'vitest';
import { Caller, Hub, McpServer } from '../../src/index.ts';
import type { ToolInvoked } from '../../src/index.ts';
import { ProtectedServer } from '../fixtures/protected-server.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';

test('[S1.secrets] the tokens, codes and verifiers of a login are seen in no event, log, error or status', async () => {
  await using server = await ProtectedServer.open({ scopes: { add: 'files:write' }, grantedScope: 'files:read' });
  const logger = new RecordingLogger();
  await using hub = new Hub({
    servers: [McpServer.http('files', server.url)],
    authorization: { onRedirect: server.visit },
    logger,
    random: () => 0,
  });
  const events: ToolInvoked[] = [];
  const caller = new Caller({ hub });
  caller.session.dispatcher.subscribe('tool-invoked', (event) => events.push(event));
  const answer = await caller.call({ server: 'files', tool: 'headers' });
  const refusal = await caller.call({ server: 'files', tool: 'add' }, { a: 1, b: 2 });
  expect(refusal.success).toBe(false);
  const sent = server.requests.flatMap(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? []);
  const asked = server.logins.tokenRequests.flatMap((request) => [request['code'], request['code_verifier']]);
  const secrets = [...sent, ...asked].filter((secret) => secret !== undefined);
  expect(secrets.length).toBeGreaterThanOrEqual(3);
  // The server tells its caller what it was sent, and that is all who may know.
  expect(JSON.stringify(answer)).toContain(sent[0]);
  const seen = JSON.stringify([events, refusal, hub.status()]) + logger.text;
  expect(seen).toContain('Bearer ***');
  expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
});
