import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineParams } from './params.ts';
import { PromptValidationError } from './prompt-errors.ts';

const Database = defineParams<{ dbPath: string; enableWrite?: boolean }>('database', {
  fields: ['dbPath', 'enableWrite'],
  defaults: { enableWrite: false },
});

test('a value carries its kind and the defaults that it does not replace', () => {
  const bound = Database({ dbPath: 'x' });
  expect(bound.params).toBe(Database);
  expect(bound.values).toEqual({ dbPath: 'x', enableWrite: false });
  expect(Database({ dbPath: 'x', enableWrite: true }).values).toEqual({ dbPath: 'x', enableWrite: true });
  expect([Object.isFrozen(bound), Object.isFrozen(bound.values), Object.isFrozen(Database)]).toEqual([
    true,
    true,
    true,
  ]);
});

test('kinds know their name and fields, and are told apart by identity', () => {
  const other = defineParams<{ dbPath: string }>('database', { fields: ['dbPath'] });
  expect([Database.name, [...Database.fields]]).toEqual(['database', ['dbPath', 'enableWrite']]);
  expect(other({ dbPath: 'x' }).params).not.toBe(Database);
});

test('a field that is there but undefined does not hide its default', () => {
  const loose = Database as unknown as (values: object) => { values: object };
  expect(loose({ dbPath: 'x', enableWrite: undefined }).values).toEqual({ dbPath: 'x', enableWrite: false });
});

test('a field that nobody declared is refused with those that are', () => {
  const loose = Database as unknown as (values: object) => unknown;
  expect(() => loose({ dbPath: 'x', path: 'y' })).toThrow(
    new PromptValidationError("params 'database' have no field path (known: dbPath, enableWrite)"),
  );
});

test('only with a default for every field there is something to use where nothing is bound', () => {
  const Complete = defineParams<{ a: string; b?: number }>('complete', { defaults: { a: 'x', b: 1 } });
  expect([Complete.defaultValues(), Database.defaultValues()]).toEqual([{ a: 'x', b: 1 }, undefined]);
  expect(Complete({ a: 'y' }).values).toEqual({ a: 'y', b: 1 });
  expect(Complete().values).toEqual({ a: 'x', b: 1 });
});

test('a schema tells the fields and validates values', () => {
  const Query = defineParams('query', { schema: z.object({ text: z.string(), limit: z.number().int() }) });
  expect([...Query.fields]).toEqual(['text', 'limit']);
  expect(Query({ text: 'x', limit: 2 }).values).toEqual({ text: 'x', limit: 2 });
  expect(() => Query({ text: 'x', limit: 2.5 })).toThrow(/^params 'query': limit: /);
});

test('a schema that prompts would have to wait for, or that cannot tell its fields, is refused', () => {
  const slow = z.object({ text: z.string().refine(async () => true) });
  expect(() => defineParams('slow', { schema: slow })({ text: 'x' })).toThrow(/validates asynchronously/);
  const mute = { '~standard': { version: 1, vendor: 'mute', validate: () => ({ value: {} }) } } as const;
  expect(() => defineParams('mute', { schema: mute })).toThrow(/a mute schema that cannot say itself as JSON Schema/);
});
