import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyJson } from './json-copy.ts';

class Point {
  readonly x: number = 1;
}

test('what JSON can say is copied whole, and survives JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const copied = copyJson(value);
      expect(copied).toEqual(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(JSON.stringify(copied))).toEqual(copied);
    }),
  );
});

test('a copy shares nothing with the original, and a part may occur twice', () => {
  const part = { tags: ['a'] };
  const copied = copyJson({ one: part, other: part });
  part.tags.push('b');
  expect(copied).toEqual({ one: { tags: ['a'] }, other: { tags: ['a'] } });
});

test('a field that is undefined is left out, as JSON does', () => {
  expect(Object.keys(copyJson({ kept: null, gone: undefined }) as object)).toEqual(['kept']);
});

test('a field called __proto__ stays a field', () => {
  const copied = copyJson(JSON.parse('{"__proto__": {"admin": true}}'));
  expect(JSON.stringify(copied)).toBe('{"__proto__":{"admin":true}}');
  expect((copied as { admin?: boolean }).admin).toBeUndefined();
});

const circular: { self?: unknown } = {};
circular.self = circular;

test.each<[unknown, string]>([
  [undefined, 'the value is undefined, which JSON cannot say'],
  [{ a: [1, undefined] }, '/a/1 is undefined, which JSON cannot say'],
  [[Number.NaN], '/0 is NaN, which JSON cannot say'],
  [{ a: 1n }, '/a is a bigint, which JSON cannot say'],
  [{ a: () => 1 }, '/a is a function, which JSON cannot say'],
  [{ at: new Date(0) }, '/at is an instance of Date, which JSON cannot say'],
  [[new Map()], '/0 is an instance of Map, which JSON cannot say'],
  [{ a: { b: new Point() } }, '/a/b is an instance of Point, which JSON cannot say'],
  [circular, '/self is a part of itself, which JSON cannot say'],
])('says where a value is not fit for JSON: %o', (value, message) => {
  expect(() => copyJson(value)).toThrow(message);
});

test('refuses a value without a bottom instead of overflowing', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(() => copyJson(deep)).toThrow('nested too deeply');
});
