import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dedent } from './dedent.ts';
import { compileTemplate } from './template-text.ts';

const VALUES = { name: 'Ada', db_path: '/data', enableWrite: false, count: 0, none: null, list: [1, { a: 2 }] };

function render(source: string, values: object = VALUES): string {
  return compileTemplate(source).render(values, (name) => `<${name}?>`);
}

test.each([
  ['Hello $name.', 'Hello Ada.'],
  ['Hello ${name}s', 'Hello Adas'],
  ['$db_path/$enableWrite/$count/$none', '/data/false/0/null'],
  ['$list', '[1,{"a":2}]'],
  ['costs $$5, or $5, or $ 5, or $', 'costs $5, or $5, or $ 5, or $'],
  ['$$name and $$$name', '$name and $Ada'],
  ['${not a name} ${name:-x} ${name', '${not a name} ${name:-x} ${name'],
  ['$nobody ${nothing}', '<nobody?> <nothing?>'],
  ['$toString', '<toString?>'],
])('[S0.template-params] %s', (source, text) => {
  expect(render(source)).toBe(text);
});

test('indentation that all lines share and the space around the text are not part of it', () => {
  const source = `
    You have access to git.
      Indented.

    \tDone.
    `;
  expect(render(source)).toBe('You have access to git.\n  Indented.\n\n\tDone.');
});

test('what a value says is not read again, and its own space stays inside the text', () => {
  expect(render('a${v}b', { v: ' $name ' })).toBe('a $name b');
  expect(render('$v', { v: '  x  ' })).toBe('x');
});

test('a text without dollar signs renders as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a', 'é', '{', '}', '\u{1F600}') }), (text) => {
      const plain = text.replaceAll('$', '');
      expect(render(plain)).toBe(dedent(plain).trim());
    }),
  );
});

test('escaping every dollar sign gives back any text', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('$', '{', '}', 'a', '_', '1', ' ', 'name')), (parts) => {
      const text = parts.join('').trim();
      expect(render(text.replaceAll('$', '$$$$'))).toBe(text);
    }),
  );
});

test('the names are those that rendering asks for', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('$', '{', '}', 'a', 'B2', '_', '1', ' ', 'name'), { maxLength: 30 }),
      (parts) => {
        const template = compileTemplate(parts.join(''));
        const asked = new Set<string>();
        template.render({}, (name) => asked.add(name));
        expect(asked).toEqual(template.names);
      },
    ),
  );
});

test('dedent keeps what only some lines have in common', () => {
  expect(dedent('  a\n    b\n \n  c')).toBe('a\n  b\n\nc');
  expect(dedent('\ta\n  b')).toBe('\ta\n  b');
  expect(dedent('a\r\n  b')).toBe('a\n  b');
  expect(dedent('   ')).toBe('');
});
