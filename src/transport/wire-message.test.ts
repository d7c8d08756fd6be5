import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WireFault } from './live-transport.ts';
import { faultResponse, parseLine } from './wire-message.ts';
import type { WireEvent } from './wire-message.ts';

const message = (value: unknown): WireEvent => ({ kind: 'message', message: value }) as WireEvent;
const fault = (id: string | number, detail: string): WireEvent => ({
  kind: 'fault',
  id,
  fault: new WireFault('invalid-message', detail),
});
const noise: WireEvent = { kind: 'noise' };

describe('parseLine', () => {
  test.each([
    { jsonrpc: '2.0', id: 1, result: { tools: [] } },
    { jsonrpc: '2.0', id: 'a', result: { _meta: { x: 1 } } },
    { jsonrpc: '2.0', id: 1, error: { code: -32_601, message: 'no such method', data: { name: 'x' } } },
    { jsonrpc: '2.0', id: 1, error: { code: 5, message: '' } },
    { jsonrpc: '2.0', id: 0, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
  ])('reads %j', (value) => {
    expect(parseLine(JSON.stringify(value))).toEqual([message(value)]);
  });

  test('reads a message after a byte order mark', () => {
    expect(parseLine('\uFEFF{"jsonrpc":"2.0","id":1,"result":{}}')).toEqual([
      message({ jsonrpc: '2.0', id: 1, result: {} }),
    ]);
  });

  test('leaves out members that do not belong to the message', () => {
    const line = '{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null,"extra":true}';
    expect(parseLine(line)).toEqual([message({ jsonrpc: '2.0', id: 1, result: { a: 1 } })]);
  });

  test.each([
    'Listening on port 3000',
    '12',
    '"text"',
    'null',
    '{level: info}',
    '   ',
    '{"level":"info","id":3,',
    '[info] ready',
  ])('takes %s for noise', (line) => {
    expect(parseLine(line)).toEqual([noise]);
  });

  test.each([
    ['{"level":"info","msg":"hello"}', 'no JSON-RPC 2.0 message'],
    ['{"jsonrpc":"1.0","id":1,"result":{}}', 'no JSON-RPC 2.0 message'],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}', 'an answer without a usable id'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 'the id of a request is no string or integer'],
    ['{"jsonrpc":"2.0","method":"x","params":[1]}', 'params are no object'],
  ])('drops %s', (line, reason) => {
    expect(parseLine(line)).toEqual([{ kind: 'dropped', reason }]);
  });

  test.each([
    ['"result":null', "the server's result is null, not an object"],
    ['"result":[1]', "the server's result is an array, not an object"],
    ['"result":"done"', "the server's result is a string, not an object"],
    ['"other":1', "the server's result is missing, not an object"],
    ['"result":{"_meta":3}', "the _meta of the server's result is a number, not an object"],
    ['"error":"broken"', "the server's error is a string, not an object"],
    ['"error":{"code":"E1","message":"x"}', "the server's error lacks a whole number as code or a text as message"],
    ['"error":{"code":1}', "the server's error lacks a whole number as code or a text as message"],
    ['"result":{},"error":{"code":1,"message":"x"}', "the server's answer holds both a result and an error"],
  ])('fails the one request that %s answers', (members, detail) => {
    expect(parseLine(`{"jsonrpc":"2.0","id":7,${members}}`)).toEqual([fault(7, detail)]);
  });

  test('fails the request whose answer was cut off', () => {
    const line = '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"te';
    expect(parseLine(line)).toEqual([fault(7, "the server's answer is not valid JSON")]);
  });

  test('fails the request whose answer holds what JSON has no word for', () => {
    const line = '{"result":{"mean":NaN},"jsonrpc":"2.0","id":7}';
    expect(parseLine(line)).toEqual([fault(7, "the server's answer is not valid JSON")]);
  });

  test('fails the request whose answer nests too deep, and survives it', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const detail = "the server's answer nests deeper than 512 levels";
    expect(parseLine(`{"jsonrpc":"2.0","id":7,"result":{"x":${deep}}}`)).toEqual([fault(7, detail)]);
    expect(parseLine(`{"result":{"x":${deep}},"jsonrpc":"2.0","id":7}`)).toEqual([fault(7, detail)]);
    expect(parseLine(deep)).toEqual([noise]);
  });

  test('unpacks a batch', () => {
    const line = '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":null},5]';
    expect(parseLine(line)).toEqual([
      message({ jsonrpc: '2.0', id: 1, result: {} }),
      fault(2, "the server's result is null, not an object"),
      { kind: 'dropped', reason: 'no JSON-RPC 2.0 message' },
    ]);
  });

  test('is not misled by __proto__', () => {
    const hostile = '{"jsonrpc":"2.0","id":1,"__proto__":{"result":{"a":1},"method":"x","polluted":true}}';
    expect(parseLine(hostile)).toEqual([fault(1, "the server's result is missing, not an object")]);
    const [inside] = parseLine('{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":true},"constructor":5}}');
    expect(inside?.kind).toBe('message');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('never throws, whatever the line', () => {
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((text) => `{"jsonrpc":"2.0","id":1,${text}`),
    );
    fc.assert(fc.property(line, (text) => parseLine(text).length >= 0));
  });

  test('reads every answer that a server can write', () => {
    const id = fc.oneof(fc.integer(), fc.string());
    // JSON has no negative zero.
    const result = fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((value) => JSON.parse(JSON.stringify(value)) as object);
    fc.assert(
      fc.property(id, result, (given, value) => {
        fc.pre(!('_meta' in value));
        const answer = { jsonrpc: '2.0', id: given, result: value };
        expect(parseLine(JSON.stringify(answer))).toEqual([message(answer)]);
      }),
    );
  });
});

test('a fault travels as the data of an error response', () => {
  const given = new WireFault('message-too-large', 'over 10 bytes');
  expect(faultResponse(3, given)).toEqual({
    jsonrpc: '2.0',
    id: 3,
    error: { code: -32_603, message: 'over 10 bytes', data: given },
  });
});
