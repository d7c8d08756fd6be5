import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Scrubber } from '../redaction.ts';
import { toEventLine } from './event-line.ts';
import type { SessionEvent } from './session-event.ts';

const plain = new Scrubber();
const knowing = new Scrubber();
knowing.add('correct-horse');

function parsed(event: object, scrubber: Scrubber = plain): unknown {
  return JSON.parse(toEventLine(event as SessionEvent, 1000, scrubber));
}

test('an event is one line of JSON, with the time at which it was written unless it has its own', () => {
  expect(toEventLine({ type: 'noted' }, 1000, plain)).toBe('{"type":"noted","at":1000}\n');
  expect(parsed({ type: 'noted', at: 7, text: 'a\nb' })).toEqual({ type: 'noted', at: 7, text: 'a\nb' });
});

test('whatever is in an event, it is one line of JSON with its type', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
  });
  fc.assert(
    fc.property(anything, fc.boolean(), (value, isKnowing) => {
      const event: Record<string, unknown> = { type: 'noted', value, nested: [value] };
      event['self'] = event;
      const line = toEventLine(event as unknown as SessionEvent, 1000, isKnowing ? knowing : plain);
      expect([line.indexOf('\n'), JSON.parse(line)]).toEqual([
        line.length - 1,
        expect.objectContaining({ type: 'noted', at: 1000 }),
      ]);
    }),
  );
});

test('what JSON cannot say is told as far as it can be', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const event = {
    type: 'noted',
    big: 12n,
    circular,
    missing: undefined,
    run: () => 1,
    failed: new Error('broken'),
    when: new Date(0),
    get secret(): string {
      throw new Error('no');
    },
  };
  expect(parsed(event)).toEqual({
    type: 'noted',
    at: 1000,
    big: '12',
    circular: { self: '[circular]' },
    failed: { name: 'Error', message: 'broken' },
    when: '1970-01-01T00:00:00.000Z',
    secret: '[unreadable]',
  });
});

test('what has no bottom is cut', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  expect(JSON.stringify(parsed({ type: 'noted', deep, big: 1n }))).toContain('[nested too deeply]');
});

test('secrets are masked, in what JSON cannot say too', () => {
  const event = { type: 'noted', params: { token: 'correct-horse', 'correct-horse': 1 } };
  expect(parsed(event, knowing)).toEqual({ type: 'noted', at: 1000, params: { token: '***', '***': 1 } });
  expect(parsed({ ...event, big: 1n }, knowing)).toEqual({
    type: 'noted',
    at: 1000,
    params: { token: '***', '***': 1 },
    big: '1',
  });
});

test('an event that is too long for a log keeps what says which it was', () => {
  const event = {
    type: 'tool-invoked',
    at: 5,
    callId: 'call',
    name: 'n'.repeat(5000),
    durationMs: 3,
    result: { content: [{ type: 'text', text: 'x'.repeat(300_000) }] },
  };
  expect(parsed(event)).toEqual({
    type: 'tool-invoked',
    at: 5,
    callId: 'call',
    name: 'n'.repeat(1000),
    durationMs: 3,
    abridged: true,
  });
});
