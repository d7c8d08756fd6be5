import { spellingsOf } from '../fixtures/servers/spellings.mjs';
import { withCanaries } from './told-failure.mjs';

const HEADERS = ['x-canary-token', 'x-canary'];
// A longer body is passed on as it comes.
const MAX_BYTES = 65_536;

/** A fetch to servers that tell the canaries they were sent, wherever they tell of a failure. */
export function tellingFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const sent = new Headers(init?.headers);
    const held = HEADERS.flatMap((name) => sent.get(name) ?? []);
    const { status, statusText, body } = response;
    const isJson = (response.headers.get('content-type') ?? '').includes('application/json');
    if (held.length === 0 || body === null || (status < 400 && !isJson)) return response;
    const told = held.flatMap(spellingsOf).join(' ; ');
    const change = (text: string): string => (isJson ? withCanaries(text, told) : `${text} ${told}`);
    const headers = new Headers(response.headers);
    headers.delete('content-length');
    return new Response(body.pipeThrough(changing(change)), { status, statusText, headers });
  };
}

function changing(change: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > MAX_BYTES) for (const each of chunks.splice(0)) controller.enqueue(each);
    },
    flush(controller) {
      if (size <= MAX_BYTES) controller.enqueue(new TextEncoder().encode(change(Buffer.concat(chunks).toString())));
    },
  });
}
