import { expect, test } from 'vitest';
import { HandshakeWatch } from './handshake-watch.ts';

const answer = (id: string | number, result: Record<string, unknown> = {}) => ({ jsonrpc: '2.0' as const, id, result });

test('the late answer to the question for the era is known by its id, once', () => {
  const watch = new HandshakeWatch('probe');
  const seen = [answer(7), answer('probe-1'), answer('probe-1')].map((message) => {
    watch.see(message);
    return watch.isLateAnswer;
  });
  expect(seen).toEqual([false, true, false]);
});

test('where the era was not asked for, no answer is late', () => {
  const watch = new HandshakeWatch('legacy');
  watch.see(answer('probe-1'));
  expect(watch.isLateAnswer).toBe(false);
});

test('it notes the version of the handshake and a modern answer before it, and nothing later', () => {
  const watch = new HandshakeWatch('probe');
  watch.see(answer('probe-1', { supportedVersions: ['2026-07-28'] }));
  watch.see(answer(0, { protocolVersion: '1999-01-01' }));
  watch.see(answer(1, { protocolVersion: '2000-01-01' }));
  expect([watch.hasSaidModern, watch.offeredVersion]).toEqual([true, '1999-01-01']);
  const silent = new HandshakeWatch('probe');
  silent.see({ jsonrpc: '2.0', method: 'notifications/message', params: { protocolVersion: 'x' } });
  silent.see(answer(0, { protocolVersion: '1999-01-01' }));
  silent.see(answer(1, { supportedVersions: [] }));
  expect([silent.hasSaidModern, silent.offeredVersion]).toEqual([false, '1999-01-01']);
});
