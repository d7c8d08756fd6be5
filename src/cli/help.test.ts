import { expect, test } from 'vitest';
import { renderHelp, usageLine } from './help.ts';
import { VERBS } from './verbs.ts';

test('the help names every verb and no line is wider than a common terminal', () => {
  const lines = renderHelp().split('\n');
  for (const { name } of VERBS) expect(lines.some((line) => line.startsWith(`  ${name} `))).toBe(true);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.for(VERBS)('the help of $name begins with its usage and lists its flags', (verb) => {
  const help = renderHelp(verb);
  expect(help.startsWith(`Usage: fairlead ${verb.name} ${verb.usage}\n`)).toBe(true);
  for (const flag of verb.flags) expect(help).toContain(`--${flag}`);
  expect(help.split('\n').filter((line) => line.length > 88)).toEqual([]);
});

test.for(VERBS)('the usage line of $name shows every argument and flag of it', (verb) => {
  for (const word of [...(verb.required ?? []), ...(verb.optional ?? [])]) expect(verb.usage).toContain(word);
  for (const flag of verb.flags) expect(verb.usage).toContain(`--${flag}`);
});

test('an unknown verb has the general usage line', () => {
  expect(usageLine('nothing')).toBe('Usage: fairlead [VERB] [ARGUMENT …]');
});
