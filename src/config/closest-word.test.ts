import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closestWord } from './closest-word.ts';

const KEYS = ['command', 'args', 'env', 'enabledTools', 'disabledTools', 'url'];

test('finds what was meant', () => {
  const written = ['comand', 'commnad', 'agrs', 'enable_tools', 'ENABLEDTOOLS', 'disabled-tools', 'urls'];
  expect(written.map((word) => closestWord(word, KEYS))).toEqual([
    'command',
    'command',
    'args',
    'enabledTools',
    'enabledTools',
    'disabledTools',
    'url',
  ]);
});

test('a longer word may mean the longest of those it begins with', () => {
  const known = ['env', 'time', 'timeout', 'id', 'url'];
  const written = ['environment', 'time_out_seconds', 'identifier', 'curls'];
  expect(written.map((word) => closestWord(word, known))).toEqual(['env', 'timeout', undefined, 'url']);
});

test('does not guess', () => {
  expect(['banana', 'x', 'autoApprove', ''].map((word) => closestWord(word, KEYS))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a word is closest to itself', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,20}$/), { minLength: 1 }), (words) => {
      for (const word of words) expect(closestWord(word, words)).toBe(word);
    }),
  );
});
