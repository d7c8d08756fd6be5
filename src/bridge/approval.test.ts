import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { callOf } from '../../test/fixtures/policy-context.ts';
import { callbackBroker, createApprovalRequest, settleApproval } from './approval.ts';

const silent = callbackBroker(() => new Promise(() => undefined));

function request(expiresAt: number): ReturnType<typeof createApprovalRequest> {
  return createApprovalRequest(callOf('git/push'), { policy: 'p', reason: 'r' }, { principal: 'local', expiresAt });
}

test('a call that is cancelled while its question is open was refused, not left without an answer', async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const settled = settleApproval(silent, request(clock.now() + 1000), { clock, signal: controller.signal });
  controller.abort();
  expect(await settled).toEqual({ kind: 'refused', reason: 'The call was cancelled before anybody answered.' });
});

test('a question that nobody answers expires', async () => {
  const clock = new ManualClock();
  const { signal } = new AbortController();
  const settled = settleApproval(silent, request(clock.now() + 1000), { clock, signal });
  await clock.advance(1000);
  expect(await settled).toEqual({
    kind: 'expired',
    reason: 'Approval was asked for and nobody answered in time.',
  });
});
