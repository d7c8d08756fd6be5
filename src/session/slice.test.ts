import { expect, test } from 'vitest';
import { defineSlice } from './slice.ts';

test('a slice is state, begins empty and listens to nothing unless told otherwise', () => {
  expect(defineSlice({ name: 'notes' })).toEqual({ name: 'notes', kind: 'state', initial: [], reducers: {} });
});

test('a slice keeps what it was defined with, whatever becomes of the definition', () => {
  const initial = ['first'];
  const reducer = (): undefined => undefined;
  const reducers = { noted: reducer };
  const slice = defineSlice({ name: 'notes', kind: 'log', initial, reducers });
  initial.push('second');
  reducers.noted = () => undefined;
  expect(slice).toEqual({ name: 'notes', kind: 'log', initial: ['first'], reducers: { noted: reducer } });
  expect([slice, slice.initial, slice.reducers].map((part) => Object.isFrozen(part))).toEqual([true, true, true]);
});
