import type * as SdkModule from '@modelcontextprotocol/client';
import type { SdkError, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { messageOf } from '../errors.ts';
import type { RpcError } from '../errors.ts';
import type { Scrubber } from '../redaction.ts';
import { stripHidden } from '../tools/hidden-characters.ts';
import { BodyTooLargeError } from '../transport/bounded-fetch.ts';
import { NotWrittenError, WireFault } from '../transport/live-transport.ts';
import { UnsafeLoginError } from '../transport/oauth-provider.ts';
import { RateLimitedError } from '../transport/rate-limit.ts';
import type { RequestFailure } from './request-failure.ts';

type Sdk = typeof SdkModule;

// Servers put whole pages into their errors; a message needs a sentence.
const MAX_FOREIGN_TEXT = 200;
// The SDK marks what was thrown while it logged in.
const LOGIN_MARK = Symbol.for('mcp.authSeamEscape');
const LOGIN_NEEDED =
  'the server asks for a login: give the hub a way to log in (authorization.onRedirect), or the server an Authorization header';
// An error may be among its own causes.
const MAX_CAUSES = 8;

/** What an error thrown by the SDK or a transport says about the request. */
export function classifyFailure(thrown: unknown, sdk: Sdk, scrubber: Scrubber): RequestFailure {
  const said = (text: string): string => foreignText(text, scrubber);
  const causes = causesOf(thrown);
  // The question for the era wraps what happened to it.
  const unwritten = causes.find((cause) => cause instanceof NotWrittenError);
  if (unwritten) return { kind: 'not-written', reason: unwritten.reason, detail: said(unwritten.message) };
  const tooLarge = causes.find((cause) => cause instanceof BodyTooLargeError);
  if (tooLarge) return { kind: 'too-large', detail: said(messageOf(tooLarge)) };
  const limited = causes.find((cause) => cause instanceof RateLimitedError);
  if (limited) return fromRateLimit(limited, said);
  if (sdk.UnauthorizedError.isInstance(thrown)) return { kind: 'refused', status: 401, detail: LOGIN_NEEDED };
  const failedLogin = causes.find((cause) => isFailedLogin(cause, sdk));
  if (failedLogin) return { kind: 'refused', status: 401, detail: said(`the login failed: ${failedLogin.message}`) };
  if (sdk.InsufficientScopeError.isInstance(thrown))
    return { kind: 'refused', status: 403, detail: said(thrown.message) };
  if (sdk.ProtocolError.isInstance(thrown)) return fromRpcError(thrown, scrubber);
  if (sdk.SdkHttpError.isInstance(thrown)) return fromHttpError(thrown, said);
  if (sdk.SseError.isInstance(thrown)) return fromSseError(thrown, said);
  if (sdk.SdkError.isInstance(thrown)) {
    const isWrapped = thrown.code === sdk.SdkErrorCode.EraNegotiationFailed && sdk.SdkError.isInstance(thrown.cause);
    return isWrapped ? classifyFailure(thrown.cause, sdk, scrubber) : fromSdkError(thrown, sdk, said);
  }
  if (isUnreadable(thrown)) return { kind: 'invalid-result', detail: 'the answer is no JSON-RPC message' };
  return { kind: 'no-answer', detail: said(causes.map(toldBy).join(': ') || toldBy(thrown)) };
}

/** Text of a server's making, made safe and short enough for a message. */
export function foreignText(text: string, scrubber: Scrubber): string {
  const scrubbed = stripHidden(scrubber.scrub(text));
  return scrubbed.length > MAX_FOREIGN_TEXT ? `${scrubbed.slice(0, MAX_FOREIGN_TEXT)}…` : scrubbed;
}

/** A copy of what was thrown that can be shown: a server's text is in messages, properties and stacks alike. */
export function safeCause(thrown: unknown, scrubber: Scrubber): Error {
  const safe = new Error(foreignText(toldBy(thrown), scrubber));
  if (!(thrown instanceof Error)) return safe;
  const code = (thrown as NodeJS.ErrnoException).code;
  // An authorization server makes the codes of its errors itself.
  return Object.assign(safe, { name: thrown.name }, typeof code === 'string' && { code: foreignText(code, scrubber) });
}

/** The text of what was thrown, but for a parser's: that quotes a piece of what it read, and a piece of a secret is not recognised. */
export function toldBy(thrown: unknown): string {
  return thrown instanceof SyntaxError ? 'it cannot be parsed' : messageOf(thrown);
}

const WIRE_FAULTS = {
  'message-too-large': 'too-large',
  'invalid-message': 'invalid-result',
  'no-answer': 'no-answer',
} as const;

/** What a server's error answer says about the request; the transport itself answers for what it had to discard. */
export function fromRpcError(error: RpcError, scrubber: Scrubber): RequestFailure {
  if (error.data instanceof WireFault) return { kind: WIRE_FAULTS[error.data.kind], detail: error.data.detail };
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
  // The protocol says 404; some servers answer 400 with an error of the protocol that names the session.
  if (status === 404 || (status === 400 && /\bsession\b/i.test(rpcMessageOf(body)))) {
    return { kind: 'session-expired', detail: `the server no longer knows our session (HTTP ${status})`, status };
  }
  // Where a redirect leads stands only in the message.
  if (status >= 300 && status < 400) return fromStatus(status, said(`HTTP ${status}: ${error.message}`));
  return fromStatus(status, said(`HTTP ${status}${body === '' ? '' : `: ${body}`}`));
}

/** The message of a JSON-RPC error; any other body proves nothing. */
function rpcMessageOf(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : '';
  } catch {
    return '';
  }
}

/** The stream of the older transport could not be opened: no request was sent. */
function fromSseError(error: SseError, said: (text: string) => string): RequestFailure {
  const { code: status } = error;
  const detail = said(error.message);
  if (status === undefined) return { kind: 'not-written', reason: 'unreachable', detail };
  return status < 300 ? { kind: 'not-mcp', detail } : fromStatus(status, detail);
}

function fromRateLimit({ message, retryAfterMs }: RateLimitedError, said: (text: string) => string): RequestFailure {
  return { kind: 'rate-limited', detail: said(message), ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

function fromStatus(status: number, detail: string): RequestFailure {
  if (status === 401 || status === 403) return { kind: 'refused', status, detail };
  if (status === 429) return { kind: 'rate-limited', detail };
  if (status >= 300 && status < 500) return { kind: 'not-mcp', detail, status };
  return { kind: 'no-answer', detail };
}

function fromSdkError(error: SdkError, sdk: Sdk, said: (text: string) => string): RequestFailure {
  const detail = said(error.message);
  switch (error.code) {
    case sdk.SdkErrorCode.EraNegotiationFailed:
      return { kind: 'probe-failed', detail: said(causesOf(error.cause).map(toldBy).join(': ') || error.message) };
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

/** Whether logging in went wrong: at the authorization server, or because it must not be gone to. */
function isFailedLogin(cause: Error, sdk: Sdk): boolean {
  if (cause instanceof UnsafeLoginError) return true;
  // A fetch that fails is a TypeError, and may do better later.
  if (cause instanceof TypeError) return false;
  return Reflect.has(cause, LOGIN_MARK) || isOAuthError(cause, sdk);
}

function isOAuthError(cause: unknown, { OAuthError, OAuthClientFlowError }: Sdk): boolean {
  return OAuthError.isInstance(cause) || OAuthClientFlowError.isInstance(cause);
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
