import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PatternReader } from './safe-pattern.ts';

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '(a|a)*$',
  '(a|ab|b)*c',
  '(\\w+\\s*)*!',
  '^(a?b?)*$',
  '(x+x+)+y',
  '(?=(a+)+b)',
  '(a|aa)+$',
  '^(?:.*,)*$',
  '(a{1,30}){1,80}',
  'a*a*a*a*a*a*b',
  `${'a?'.repeat(30)}${'a'.repeat(30)}`,
  `${'('.repeat(500)}a${')*'.repeat(500)}`,
  `${'(?:'.repeat(8)}a?${'){64}'.repeat(8)}`,
])('refuses %s', (source) => {
  expect(new PatternReader().read(source)).toEqual({ kind: 'refused', reason: 'could take too long to match' });
});

test.each([
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 1_000_000],
  ['^(?:[0-9]{2}){4,10}$', 1_000_000],
  ['^(\\d{1,3}\\.){3}\\d{1,3}$', 1_000_000],
  ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 1_000_000],
  ['^(GET|POST|PUT)(,(GET|POST|PUT))*$', 1_000_000],
  ['^\\s*\\S[\\s\\S]*$', 1_000_000],
  ['^.{1,2000}$', 1_000_000],
  ['\\S', 1_000_000],
  ['^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 5000],
  ['[a-z]+@', 5000],
  ['^.*a.*b.*$', 400],
])('accepts %s for texts of up to %i characters', (source, maxLength) => {
  expect(new PatternReader().read(source)).toMatchObject({ kind: 'usable', maxLength });
});

test('says of what is no regular expression that it is none', () => {
  expect(new PatternReader().read('(')).toEqual({ kind: 'refused', reason: 'is no regular expression' });
});

test('reads what only the older rules allow', () => {
  const pattern = new PatternReader().read('^[\\w\\_]+\\-$');
  expect(pattern.kind === 'usable' && pattern.matches('a_-')).toBe(true);
});

test('looks into the patterns of one schema only so far', () => {
  const reader = new PatternReader();
  const kinds = Array.from({ length: 200 }, (_, index) => reader.read(`^${`[a-z${index}]+.`.repeat(40)}$`).kind);
  expect(new Set(kinds)).toEqual(new Set(['refused']));
  expect(reader.read('^a+$').kind).toBe('refused');
});

test('matches exactly as the language does, or is refused', () => {
  const piece = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(a|b)', '(?:ab)', '^', '$', '\\b', '(?=a)');
  const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?');
  const source = fc
    .array(fc.tuple(piece, quantifier), { maxLength: 6 })
    .map((parts) => parts.map(([text, times]) => (/^[$^\\(]/.test(text) && !/^\((?:\?:|[ab])/.test(text) ? text : text + times)).join(''));
  fc.assert(
    fc.property(source, fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 12 }), (text, value) => {
      const pattern = new PatternReader().read(text);
      return pattern.kind === 'refused' || pattern.matches(value) === new RegExp(text, 'u').test(value);
    }),
  );
});
