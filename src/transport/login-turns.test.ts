import { expect, test } from 'vitest';
import { settle } from '../../test/fixtures/manual-clock.ts';
import { LoginTurns } from './login-turns.ts';

const URL = 'https://mcp.example/mcp';

test('only the first that is refused gets a new token; the others take it', async () => {
  const bench = new LoginBench();
  const calls = Array.from({ length: 5 }, () => bench.call());
  await settle();
  expect(bench.logins).toBe(1);
  bench.finishLogin('new');
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200, 200]);
  expect(bench.logins).toBe(1);
});

test('when the first could not get in, the next one tries', async () => {
  const bench = new LoginBench();
  const calls = [bench.call(), bench.call()];
  await settle();
  bench.failLogin();
  await expect(calls[0]).rejects.toThrow('no login');
  await settle();
  expect(bench.logins).toBe(2);
  bench.finishLogin('new');
  expect(await calls[1]).toBe(200);
});

test('while a person is asked, nobody else begins a login', async () => {
  const bench = new LoginBench();
  bench.isPersonAsked = true;
  await expect(bench.call()).rejects.toThrow('unauthorized');
  expect(bench.logins).toBe(0);
});

test('a token that the server does not take either is refused in the end', async () => {
  const bench = new LoginBench();
  const call = bench.call();
  await settle();
  bench.finishLogin('as bad');
  expect(await call).toBe(401);
});

test('a long answer does not keep the others waiting', async () => {
  const bench = new LoginBench();
  bench.answersTake = new Promise(() => undefined);
  void bench.call();
  const other = bench.call();
  await settle();
  bench.answersTake = Promise.resolve();
  bench.finishLogin('new');
  expect(await other).toBe(200);
});

test('what goes elsewhere is not looked at', async () => {
  const bench = new LoginBench();
  const response = await bench.turns.waiting(async () => new Response('', { status: 401 }))('https://login.example/');
  expect(response.status).toBe(401);
});

/** Messages as the SDK sends them: refused, logged in once, sent again. */
class LoginBench {
  readonly turns: LoginTurns;
  logins = 0;
  isPersonAsked = false;
  answersTake: Promise<unknown> = Promise.resolve();
  #token = 'old';
  readonly #pending: { resolve: () => void; reject: (error: Error) => void }[] = [];
  readonly #fetch: (url: string, init?: RequestInit) => Promise<Response>;

  constructor() {
    this.turns = new LoginTurns({
      serverUrl: URL,
      accessToken: async () => this.#token,
      isLoginPending: () => this.isPersonAsked,
      unauthorized: () => new Error('unauthorized'),
    });
    this.#fetch = this.turns.waiting(async (_url, init) => {
      const isGood = new Headers(init?.headers).get('authorization') === 'Bearer new';
      if (isGood) await this.answersTake;
      return new Response('', { status: isGood ? 200 : 401 });
    });
  }

  async call(): Promise<number> {
    let status = 0;
    await this.turns.send(async () => {
      status = await this.#send();
      if (status !== 401) return;
      this.logins += 1;
      await new Promise<void>((resolve, reject) => {
        this.#pending.push({ resolve, reject });
      });
      status = await this.#send();
    });
    return status;
  }

  finishLogin(token: string): void {
    this.#token = token;
    for (const { resolve } of this.#pending.splice(0)) resolve();
  }

  failLogin(): void {
    for (const { reject } of this.#pending.splice(0)) reject(new Error('no login'));
  }

  async #send(): Promise<number> {
    const headers = { authorization: `Bearer ${this.#token}` };
    return (await this.#fetch(URL, { method: 'POST', headers })).status;
  }
}
