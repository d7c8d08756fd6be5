import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRequestId, recoverResponseId } from './response-id.ts';

const whole = (text: string): ReturnType<typeof recoverResponseId> => recoverResponseId(text, text);

describe('recoverResponseId', () => {
  test('finds an id that is written first', () => {
    expect(
      recoverResponseId('{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"aaaa', 'aaaa"}]}}'),
    ).toBe(7);
  });

  test('finds an id that is written last', () => {
    expect(
      recoverResponseId('{"result":{"content":[{"type":"text","text":"aaaa', 'aaaa"}]},"jsonrpc":"2.0","id":7}'),
    ).toBe(7);
  });

  test('finds an id before the version at the end', () => {
    expect(recoverResponseId('{"result":{"x":"', '"},"id":"call-1","jsonrpc":"2.0"}\r')).toBe('call-1');
  });

  test('finds a string id with escapes', () => {
    expect(whole(String.raw`{"jsonrpc":"2.0","id":"a\"b","result":{`)).toBe('a"b');
  });

  test('does not take the id of something inside the result', () => {
    expect(recoverResponseId('{"jsonrpc":"2.0","result":{"id":5,"x":"', '","jsonrpc":"2.0","id":6}}')).toBeUndefined();
  });

  test('does not take an id that is only text', () => {
    expect(
      recoverResponseId('{"jsonrpc":"2.0","result":{"text":"', String.raw`{\"jsonrpc\":\"2.0\",\"id\":6}"}`),
    ).toBeUndefined();
  });

  test('does not take a number that was cut off', () => {
    expect(whole('{"jsonrpc":"2.0","id":12')).toBeUndefined();
  });

  test.each([
    '{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"x":"',
    '{"jsonrpc":"2.0","id":3,"params":{"x":"',
    '{"params":{"x":1},"jsonrpc":"2.0","method":"roots/list","id":3}',
    '{"params":{"x":1},"jsonrpc":"2.0","id":3}',
  ])('finds nothing in a request of the server: %s', (text) => {
    expect(whole(text)).toBeUndefined();
  });

  test('finds nothing in JSON of another kind', () => {
    expect(whole('{"level":"info","id":3,"message":"hello"}')).toBeUndefined();
  });

  test('finds the id of every answer, wherever it is written', () => {
    const id = fc.oneof(fc.integer(), fc.string());
    fc.assert(
      fc.property(id, fc.object(), fc.boolean(), (expected, result, isFirst) => {
        fc.pre(isFirst || !JSON.stringify(expected).includes('\\'));
        const answer = isFirst ? { jsonrpc: '2.0', id: expected, result } : { result, jsonrpc: '2.0', id: expected };
        expect(whole(JSON.stringify(answer))).toBe(expected);
      }),
    );
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (head, tail) => void recoverResponseId(head, tail)));
  });
});

test('an id is a string or a whole number', () => {
  expect([1, 'a', 1.5, null, undefined, true, {}].map(isRequestId)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
