import type { FetchLike } from '@modelcontextprotocol/client';
import { isEventStream } from './body-watch.ts';
import { NotWrittenError } from './live-transport.ts';

/** A response body grew over its limit. */
export class BodyTooLargeError extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`the response is larger than ${limitBytes} bytes`);
    this.name = 'BodyTooLargeError';
    this.limitBytes = limitBytes;
  }
}

// These fail before the first byte of a request could have been sent.
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'CERT_HAS_EXPIRED',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const MAX_CAUSES = 8;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A fetch that says when nothing was sent, and stops reading a body or an event that outgrows the limit. */
export function boundedFetch(limitBytes: number, inner: FetchLike = fetch): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init).catch((error: unknown) => {
      const code = causeCode(error);
      if (code === undefined || !UNREACHABLE.has(code)) throw error;
      throw new NotWrittenError('unreachable', `${new URL(url).host} cannot be reached (${code})`, error);
    });
    return response.body === null ? response : boundedResponse(response, limitBytes);
  };
}

function boundedResponse(response: Response, limitBytes: number): Response {
  const body = response.body?.pipeThrough(byteLimit(limitBytes, isEventStream(response)));
  const { status, statusText, headers } = response;
  return new Response(body ?? null, { status, statusText, headers });
}

/** Passes bytes on until too many have come; in an event stream the count begins again with each event. */
function byteLimit(limitBytes: number, isEvents: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  // The two bytes before a chunk: it may begin inside a line break.
  let before: Bytes = [LINE_FEED, LINE_FEED];
  return new TransformStream({
    transform(chunk, controller) {
      count += chunk.byteLength;
      if (isEvents) {
        const rest = bytesAfterBlankLine(before, chunk);
        if (rest !== undefined) count = rest;
        before = [byteAt(before, chunk, chunk.length - 2), byteAt(before, chunk, chunk.length - 1)];
      }
      if (count > limitBytes) controller.error(new BodyTooLargeError(limitBytes));
      else controller.enqueue(chunk);
    },
  });
}

type Bytes = readonly [number | undefined, number | undefined];

/** The byte at an index of a chunk, or of the two before it. */
function byteAt(before: Bytes, chunk: Uint8Array, index: number): number | undefined {
  return index < 0 ? before.at(index) : chunk[index];
}

function bytesAfterBlankLine(before: Bytes, chunk: Uint8Array): number | undefined {
  for (let index = chunk.lastIndexOf(LINE_FEED); index >= 0; index = chunk.lastIndexOf(LINE_FEED, index - 1)) {
    const lineEnd = byteAt(before, chunk, index - 1) === CARRIAGE_RETURN ? index - 2 : index - 1;
    if (byteAt(before, chunk, lineEnd) === LINE_FEED) return chunk.byteLength - index - 1;
    if (index === 0) return undefined;
  }
  return undefined;
}

function causeCode(error: unknown): string | undefined {
  let cause = error;
  // An error may be among its own causes.
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1, cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return undefined;
}
