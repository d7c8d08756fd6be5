import type { Clock } from '../clock.ts';
import type { Ruling } from '../policy/ruling.ts';
import { settlesWithin } from '../transport/settles-within.ts';

/** How long policies may think about one call: as long as a call may take by default. */
const POLICY_LIMIT_MS = 30_000;

/** What policies say, or a denial when they do not say it in time. */
export async function rulingInTime(ruling: Promise<Ruling>, clock: Clock): Promise<Ruling> {
  return (await hasAnswered(ruling, clock)) ? ruling : TOO_LATE;
}

/** Whether policies were done in time. */
export function hasAnswered(answer: Promise<unknown>, clock: Clock): Promise<boolean> {
  return settlesWithin(answer, { clock, ms: POLICY_LIMIT_MS });
}

/** A policy that cannot decide must not let anything through. */
export const TOO_LATE: Ruling = {
  kind: 'deny',
  reason: `Refused because a policy gave no answer within ${POLICY_LIMIT_MS} ms.`,
  policy: 'unknown',
};
