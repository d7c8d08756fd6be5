import type { Scrubber } from '../redaction.ts';
import type { LiveTransport } from '../transport/live-transport.ts';
import { foreignText, safeCause } from './classify-failure.ts';
import { messageOf } from '../errors.ts';
import { RequestError } from './request-failure.ts';

/** Lets somebody log in, if anybody can; a login that goes wrong is a refusal like the one that asked for it. */
export async function logIn(transport: LiveTransport, signal: AbortSignal, scrubber: Scrubber): Promise<boolean> {
  try {
    return (await transport.login?.(signal)) ?? false;
  } catch (error) {
    signal.throwIfAborted();
    const detail = `the login failed: ${foreignText(messageOf(error), scrubber)}`;
    throw new RequestError({ kind: 'refused', status: 401, detail }, safeCause(error, scrubber));
  }
}
