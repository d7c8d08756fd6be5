import type * as SdkModule from '@modelcontextprotocol/client';
import type { ProtocolError, SdkError, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { messageOf } from '../errors.ts';
import type { RpcError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import { stripHidden } from '../tools/hidden-characters.ts';
import { BodyTooLargeError } from '../transport/bounded-fetch.ts';
import { NotWrittenError, WireFault } from '../transport/live-transport.ts';
import type { RequestFailure } from './request-failure.ts';

type Sdk = typeof SdkModule;

// Servers put whole pages into their errors; a message needs a sentence.
const MAX_FOREIGN_TEXT = 200;
// An error may be among its own causes.
const MAX_CAUSES = 8;

/** What an error thrown by the SDK or a transport says about the request. */
export function classifyFailure(thrown: unknown, sdk: Sdk, scrubber: Scrubber): RequestFailure {
  const said = (text: string): string => foreignText(text, scrubber);
  if (thrown instanceof NotWrittenError) {
    return { kind: 'not-written', reason: thrown.reason, detail: said(thrown.message) };
  }
  const causes = causesOf(thrown);
  const tooLarge = causes.find((cause) => cause instanceof BodyTooLargeError);
  if (tooLarge) return { kind: 'too-large', detail: said(messageOf(tooLarge)) };
  if (sdk.ProtocolError.isInstance(thrown)) return fromProtocolError(thrown, scrubber);
  if (sdk.SdkHttpError.isInstance(thrown)) return fromHttpError(thrown, said);
  if (sdk.SseError.isInstance(thrown)) return fromSseError(thrown, said);
  if (sdk.SdkError.isInstance(thrown)) return fromSdkError(thrown, sdk, said);
  if (isUnreadable(thrown)) return { kind: 'invalid-result', detail: 'the answer is no JSON-RPC message' };
  return { kind: 'no-answer', detail: said(causes.map(messageOf).join(': ') || messageOf(thrown)) };
}

/** Text of a server's making, made safe and short enough for a message. */
export function foreignText(text: string, scrubber: Scrubber): string {
  const scrubbed = stripHidden(scrubber.scrub(text));
  return scrubbed.length > MAX_FOREIGN_TEXT ? `${scrubbed.slice(0, MAX_FOREIGN_TEXT)}…` : scrubbed;
}

/** A copy of what was thrown that can be shown: a server's text is in messages, properties and stacks alike. */
export function safeCause(thrown: unknown, scrubber: Scrubber): Error {
  const safe = new Error(foreignText(messageOf(thrown), scrubber));
  if (!(thrown instanceof Error)) return safe;
  const code = (thrown as NodeJS.ErrnoException).code;
  return Object.assign(safe, { name: thrown.name }, typeof code === 'string' && { code });
}

function fromProtocolError(error: ProtocolError, scrubber: Scrubber): RequestFailure {
  if (error.data instanceof WireFault) {
    const kind = error.data.kind === 'message-too-large' ? 'too-large' : 'invalid-result';
    return { kind, detail: error.data.detail };
  }
  const rpcError: RpcError = {
    code: error.code,
    message: scrubber.scrub(error.message),
    ...(error.data !== undefined && { data: scrubber.scrubValue(error.data) }),
  };
  return { kind: 'rpc-error', error: rpcError };
}

function fromHttpError(error: SdkHttpError, said: (text: string) => string): RequestFailure {
  const { status } = error;
  const text = error.data['text'];
  const body = typeof text === 'string' ? text : '';
  // The protocol says 404; some servers say 400 and name the session.
  if (status === 404 || (status === 400 && /session/i.test(body))) {
    return { kind: 'session-expired', detail: `the server no longer knows our session (HTTP ${status})` };
  }
  // Where a redirect leads stands only in the message.
  if (status >= 300 && status < 400) return fromStatus(status, said(`HTTP ${status}: ${error.message}`));
  return fromStatus(status, said(`HTTP ${status}${body === '' ? '' : `: ${body}`}`));
}

/** The stream of the older transport could not be opened: no request was sent. */
function fromSseError(error: SseError, said: (text: string) => string): RequestFailure {
  const { code: status } = error;
  const detail = said(error.message);
  if (status === undefined) return { kind: 'not-written', reason: 'unreachable', detail };
  return status < 300 ? { kind: 'not-mcp', detail } : fromStatus(status, detail);
}

function fromStatus(status: number, detail: string): RequestFailure {
  if (status === 401 || status === 403 || status === 429) return { kind: 'refused', status, detail };
  if (status >= 300 && status < 500) return { kind: 'not-mcp', detail };
  return { kind: 'no-answer', detail };
}

function fromSdkError(error: SdkError, sdk: Sdk, said: (text: string) => string): RequestFailure {
  const detail = said(error.message);
  switch (error.code) {
    case sdk.SdkErrorCode.NotConnected:
      return { kind: 'not-written', reason: 'closed', detail };
    case sdk.SdkErrorCode.InvalidResult:
    case sdk.SdkErrorCode.UnsupportedResultType:
    case sdk.SdkErrorCode.InputRequiredRoundsExceeded:
    case sdk.SdkErrorCode.CapabilityNotSupported:
      return { kind: 'invalid-result', detail };
    case sdk.SdkErrorCode.ClientHttpUnexpectedContent:
      return { kind: 'not-mcp', detail: said(`${error.message}; this is no MCP endpoint`) };
    default:
      return { kind: 'no-answer', detail };
  }
}

/** Whether an answer came that is no JSON, or no message of the protocol; the SDK passes its parsers' errors on. */
function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof SyntaxError || (thrown instanceof Error && thrown.name === 'ZodError');
}

function causesOf(thrown: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = thrown; cause instanceof Error && causes.length < MAX_CAUSES; cause = cause.cause)
    causes.push(cause);
  return causes;
}
