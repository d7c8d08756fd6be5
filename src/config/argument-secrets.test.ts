import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Scrubber } from '../redaction.ts';
import { argumentWarnings } from './argument-secrets.ts';

const TOKEN = `ghp_${'a'.repeat(36)}`;
const WHY = 'holds a secret that every user of this machine can see in the list of processes; put it into env';

function warnings(args: readonly string[], ...secrets: readonly string[]): readonly string[] {
  const scrubber = new Scrubber();
  for (const secret of secrets) scrubber.add(secret);
  return argumentWarnings(args, (text) => scrubber.scrub(text));
}

test('[S1.args-secret] an argument that is a resolved secret, or that looks like a key, is warned of without its value', () => {
  expect(warnings(['--verbose', 'hush-hush', '--key=hush-hush'], 'hush-hush')).toEqual([
    `args[1] (***) ${WHY}`,
    `args[2] (--key=***) ${WHY}`,
  ]);
  expect(warnings([TOKEN, `--token=${TOKEN}`, `https://x:${TOKEN}@host/`])).toEqual([
    `args[0] (***) ${WHY}`,
    `args[1] (--token=***) ${WHY}`,
    `args[2] (https://x:***@host/) ${WHY}`,
  ]);
});

test('what only holds a resolved value among other text is no secret, nor is anything usual', () => {
  expect(warnings(['/home/ada/data', '-y', '@scope/server@1.2.3', '--port=8080', ''], '/home/ada')).toEqual([]);
});

test('no warning ever shows a value', () => {
  const secret = fc
    .string({ minLength: 8, maxLength: 30 })
    .filter((text) => text.trim().length >= 8 && !WHY.includes(text.trim()));
  fc.assert(
    fc.property(secret, fc.constantFrom('', '--token=', '-k='), (value, flag) => {
      const [warning = ''] = warnings([`${flag}${value}`], value);
      expect(warning.includes(value.trim())).toBe(false);
    }),
  );
});
