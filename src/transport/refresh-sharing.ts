import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../clock.ts';

// A refresh token that was just used up is still asked with by calls that began before.
const REMEMBER_MS = 30_000;

interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A fetch that redeems each refresh token once, however many calls find their access token expired. */
export function sharingRefreshes(inner: FetchLike, clock: Clock): FetchLike {
  const answers = new Map<string, Promise<Answer>>();
  return async (url, init) => {
    const key = refreshKey(url, init);
    if (key === undefined) return inner(url, init);
    let answer = answers.get(key);
    if (!answer) {
      answer = inner(url, init).then(readAnswer);
      answers.set(key, answer);
      answer.then(
        ({ status }) => {
          // What failed may be tried again; what succeeded must not be.
          if (status >= 400) answers.delete(key);
          else clock.after(REMEMBER_MS, () => answers.delete(key));
        },
        () => answers.delete(key),
      );
    }
    const { body, ...rest } = await answer;
    return new Response(body, rest);
  };
}

function refreshKey(url: string | URL, init: RequestInit | undefined): string | undefined {
  const body = init?.body;
  if (init?.method !== 'POST' || !(body instanceof URLSearchParams)) return undefined;
  return body.get('grant_type') === 'refresh_token' ? `${String(url)} ${String(body.get('refresh_token'))}` : undefined;
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status, statusText, headers } = response;
  return { status, statusText, headers, body: await response.text() };
}
