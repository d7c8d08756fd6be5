import { expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { sharingRefreshes } from './refresh-sharing.ts';

const TOKEN_URL = 'https://login.example/token';

test('redeems a refresh token once, for all who ask at once and for those who come a little later', async () => {
  const { clock, fetch, bodies } = open(200);
  const answers = await Promise.all([fetch('r1'), fetch('r1'), fetch('r2')]);
  await clock.advance(29_999);
  answers.push(await fetch('r1'));
  expect(answers).toEqual(['answer 1', 'answer 1', 'answer 2', 'answer 1']);
  await clock.advance(1);
  expect(await fetch('r1')).toBe('answer 3');
  expect(bodies).toEqual(['r1', 'r2', 'r1']);
});

test.each([400, 500])('asks again after HTTP %i', async (status) => {
  const { fetch } = open(status);
  const first = await fetch('r1');
  await settle();
  expect([first, await fetch('r1')]).toEqual(['answer 1', 'answer 2']);
});

test('asks again after a failure', async () => {
  let tries = 0;
  const failing = sharingRefreshes(async () => {
    tries += 1;
    throw new Error('away');
  }, new ManualClock());
  for (let time = 0; time < 2; time += 1) {
    await expect(failing(TOKEN_URL, refresh('r1'))).rejects.toThrow('away');
    await settle();
  }
  expect(tries).toBe(2);
});

test('leaves every other request alone', async () => {
  let count = 0;
  const fetch = sharingRefreshes(async () => new Response(String((count += 1))), new ManualClock());
  const code = { method: 'POST', body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x' }) };
  for (const init of [code, code, undefined, undefined, { method: 'POST', body: 'grant_type=refresh_token' }])
    await fetch(TOKEN_URL, init);
  expect(count).toBe(5);
});

function refresh(token: string): RequestInit {
  return { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }) };
}

function open(status: number): {
  readonly clock: ManualClock;
  readonly bodies: string[];
  readonly fetch: (token: string) => Promise<string>;
} {
  const clock = new ManualClock();
  const bodies: string[] = [];
  const fetch = sharingRefreshes(async (_url, init) => {
    bodies.push(init?.body instanceof URLSearchParams ? String(init.body.get('refresh_token')) : '');
    return new Response(`answer ${bodies.length}`, { status });
  }, clock);
  return { clock, bodies, fetch: async (token) => (await fetch(TOKEN_URL, refresh(token))).text() };
}
