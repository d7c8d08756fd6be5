import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findForeignReferences, findReferences, formatReference, replaceReferences } from './secret-references.ts';

const anyName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/);
const reference = fc
  .record({
    name: anyName,
    fallback: fc.option(
      fc.string().filter((text) => !text.includes('}')),
      { nil: undefined },
    ),
  })
  .map(({ name, fallback }) => (fallback === undefined ? { name } : { name, fallback }));
const plain = fc.string().filter((text) => !text.includes('$'));

test('finds names and defaults', () => {
  expect(findReferences('Bearer ${TOKEN} at ${HOST:-localhost}${EMPTY:-}')).toEqual([
    { name: 'TOKEN' },
    { name: 'HOST', fallback: 'localhost' },
    { name: 'EMPTY', fallback: '' },
  ]);
});

test('nothing else is a reference', () => {
  const others = ['$NAME', '${}', '${1A}', '${A-B}', '${A:b}', '${env:A}', '${ A }', '$ {A}', '%A%', '${A', '{A}'];
  expect(others.flatMap(findReferences)).toEqual([]);
});

test('a text is put together again from its references', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, reference)), plain, (parts, end) => {
      const text = parts.map(([before, item]) => before + formatReference(item)).join('') + end;
      expect(findReferences(text)).toEqual(parts.map(([, item]) => item));
      expect(replaceReferences(text, formatReference)).toBe(text);
      expect(replaceReferences(text, () => '')).toBe(parts.map(([before]) => before).join('') + end);
    }),
  );
});

test('what a value says is not looked at again', () => {
  expect(replaceReferences('${A} ${B}', ({ name }) => (name === 'A' ? '${B}' : "$& $1 $'"))).toBe("${B} $& $1 $'");
});

test('tells the references of other programs apart', () => {
  expect(findForeignReferences('${A} ${env:B} ${input:c} ${D:-x} ${workspaceFolder.x}')).toEqual([
    '${env:B}',
    '${input:c}',
    '${workspaceFolder.x}',
  ]);
});
