import { AsyncLocalStorage } from 'node:async_hooks';
import type { FetchLike } from '@modelcontextprotocol/client';

/** One message on its way, and whoever waits until it is let in or refused. */
interface Turn {
  readonly over: Promise<void>;
  readonly end: () => void;
}

export interface LoginTurnsOptions {
  readonly serverUrl: string;
  readonly accessToken: () => Promise<string | undefined>;
  /** Whether a person is being asked to log in: that must not begin a second time. */
  readonly isLoginPending: () => boolean;
  readonly unauthorized: () => Error;
}

const UNAUTHORIZED = 401;

/** Lets one message at a time get a new token; those that were refused meanwhile take the token it got. */
export class LoginTurns {
  readonly #options: LoginTurnsOptions;
  readonly #sending = new AsyncLocalStorage<Turn>();
  #leader: Turn | undefined;

  constructor(options: LoginTurnsOptions) {
    this.#options = options;
  }

  /** Sends a message; its turn is over when it is sent, or cannot be. */
  async send(run: () => Promise<void>): Promise<void> {
    const turn = createTurn();
    await this.#sending.run(turn, run).finally(() => this.#end(turn));
  }

  /** A fetch that waits with a refusal while another message gets a new token. */
  waiting(inner: FetchLike): FetchLike {
    return async (url, init) => {
      if (String(url) !== this.#options.serverUrl) return inner(url, init);
      const turn = this.#sending.getStore();
      // Whoever asks again has been given a new token.
      if (turn) this.#end(turn);
      const response = await inner(url, init);
      if (response.status !== UNAUTHORIZED) return response;
      while (this.#leader) await this.#leader.over;
      this.#leader = turn;
      return this.#withNewerToken(inner, init, response);
    };
  }

  async #withNewerToken(inner: FetchLike, init: RequestInit | undefined, refused: Response): Promise<Response> {
    const { serverUrl, accessToken, isLoginPending, unauthorized } = this.#options;
    const headers = new Headers(init?.headers);
    const token = await accessToken();
    const isNewer = token !== undefined && headers.get('authorization') !== `Bearer ${token}`;
    if (!isNewer && !isLoginPending()) return refused;
    await refused.body?.cancel();
    if (!isNewer) throw unauthorized();
    const turn = this.#sending.getStore();
    if (turn) this.#end(turn);
    headers.set('authorization', `Bearer ${token}`);
    return inner(serverUrl, { ...init, headers });
  }

  #end(turn: Turn): void {
    if (this.#leader !== turn) return;
    this.#leader = undefined;
    turn.end();
  }
}

function createTurn(): Turn {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
