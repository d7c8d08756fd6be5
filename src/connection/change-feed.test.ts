import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { ChangeFeed } from './change-feed.ts';
import type { ListName, ProtocolClient, Wanted } from './protocol-client.ts';

test('asks for the lists that the server announces, and for what is followed', async () => {
  const { feed, client } = open('modern');
  await feed.follow('file:///a');
  await feed.start(client.asClient);
  await feed.follow('file:///b');
  await feed.follow('file:///b');
  await feed.unfollow('file:///a');
  expect(client.wanted.map(({ lists, uris }) => [lists, uris])).toEqual([
    [['tools', 'prompts'], ['file:///a']],
    [
      ['tools', 'prompts'],
      ['file:///a', 'file:///b'],
    ],
    [['tools', 'prompts'], ['file:///b']],
  ]);
  feed.stop();
});

test('asks again after each end, less and less often, and tells what may have been missed', async () => {
  const { feed, client, clock, gaps } = open('modern');
  await feed.start(client.asClient);
  const waits: (number | undefined)[] = [];
  for (let drop = 0; drop < 8; drop += 1) {
    client.drop();
    await clock.advance(0);
    waits.push(clock.nextDelayMs);
    await clock.advance(clock.nextDelayMs ?? 0);
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  expect(client.wanted).toHaveLength(9);
  expect(gaps.slice(0, 4)).toEqual(['tools', 'prompts', 'tools', 'prompts']);
  feed.stop();
});

test('asks again when the server would not listen, and not after it was stopped', async () => {
  const { feed, client, clock, gaps } = open('modern');
  client.isRefusing = true;
  await feed.start(client.asClient);
  await clock.advance(500);
  expect([client.wanted.length, gaps]).toEqual([2, []]);
  feed.stop();
  await clock.advance(60_000);
  expect([client.wanted.length, clock.pending]).toEqual([2, 0]);
});

test('subscribes each resource of a legacy server by a request, and again in the next conversation', async () => {
  const { feed, client } = open('legacy');
  await feed.start(client.asClient);
  await feed.follow('file:///a');
  await feed.start(client.asClient);
  await feed.unfollow('file:///a');
  await feed.start(client.asClient);
  expect(client.requests).toEqual([
    'resources/subscribe file:///a',
    'resources/subscribe file:///a',
    'resources/unsubscribe file:///a',
  ]);
});

test('a legacy server that knows no subscriptions is no failure', async () => {
  const { feed, client, logger } = open('legacy');
  client.isRefusing = true;
  await feed.start(client.asClient);
  await feed.follow('file:///a');
  expect(logger.messages('debug')).toEqual(['a resource could not be followed']);
});

/** A conversation that records what is asked of it. */
class RecordingClient {
  readonly wanted: Wanted[] = [];
  readonly requests: string[] = [];
  readonly era: 'modern' | 'legacy';
  readonly isOpen = true;
  isRefusing = false;
  #end = (): void => undefined;

  constructor(era: 'modern' | 'legacy') {
    this.era = era;
  }

  get asClient(): ProtocolClient {
    return this as unknown as ProtocolClient;
  }

  announces(list: ListName): boolean {
    return list !== 'resources';
  }

  async listen(wanted: Wanted): Promise<{ readonly closed: Promise<void> }> {
    this.wanted.push(wanted);
    if (this.isRefusing) throw new Error('not now');
    return { closed: new Promise((resolve) => (this.#end = resolve)) };
  }

  async request({
    method,
    params,
  }: {
    readonly method: string;
    readonly params: { readonly uri: string };
  }): Promise<void> {
    this.requests.push(`${method} ${params.uri}`);
    if (this.isRefusing) throw new Error('not known');
  }

  drop(): void {
    this.#end();
  }
}

interface Bench {
  readonly feed: ChangeFeed;
  readonly client: RecordingClient;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly gaps: ListName[];
}

function open(era: 'modern' | 'legacy'): Bench {
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const gaps: ListName[] = [];
  const requestOptions = { timeoutMs: 1, maxTotalMs: 1 };
  const onGap = (list: ListName): number => gaps.push(list);
  const feed = new ChangeFeed({ clock, logger, requestOptions, random: () => 0.5, onGap });
  return { feed, clock, logger, gaps, client: new RecordingClient(era) };
}
