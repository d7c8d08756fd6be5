import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDotenv } from './dotenv.ts';

test('reads names and values', () => {
  const text = `
# a comment
A=1
export B=two words   # why
  C  =  spaced
D=
E=#nothing
F=a#b
G=https://example.com/#part
H=a=b
bad line
I=1
I=2
`;
  expect(parseDotenv(text)).toEqual(
    new Map([
      ['A', '1'],
      ['B', 'two words'],
      ['C', 'spaced'],
      ['D', ''],
      ['E', ''],
      ['F', 'a#b'],
      ['G', 'https://example.com/#part'],
      ['H', 'a=b'],
      ['I', '2'],
    ]),
  );
});

test('quotes keep what is inside them', () => {
  const text = String.raw`
A="x # y" # why
B='x\n # y'
C="x\ny\t\"z\" \\ \$A \q"
D="" 
E=''
F=${'`'}it's "so"${'`'}
G="a" "b"
`;
  expect(parseDotenv(text)).toEqual(
    new Map([
      ['A', 'x # y'],
      ['B', String.raw`x\n # y`],
      ['C', `x\ny\t"z" \\ $A \\q`],
      ['D', ''],
      ['E', ''],
      ['F', `it's "so"`],
      ['G', '"a" "b"'],
    ]),
  );
});

test('a value in double quotes may go over several lines', () => {
  const key = '-----BEGIN KEY-----\nabc=\nNOT=A_NAME # no comment\n-----END KEY-----';
  expect(parseDotenv(`A="${key}"\nB=2\n`)).toEqual(
    new Map([
      ['A', key],
      ['B', '2'],
    ]),
  );
});

test('a quote that is not closed is a character like any other', () => {
  expect(parseDotenv('A="open\nB=2\n')).toEqual(
    new Map([
      ['A', '"open'],
      ['B', '2'],
    ]),
  );
});

test('line ends and byte order marks do not matter', () => {
  const unix = parseDotenv('A=1\nB="x\ny"\nC=3');
  expect(parseDotenv('\uFEFFA=1\r\nB="x\r\ny"\r\nC=3')).toEqual(unix);
  expect(unix.get('C')).toBe('3');
});

test('references are not followed', () => {
  expect(parseDotenv('A=1\nB=${A}-$A').get('B')).toBe('${A}-$A');
});

test('any value can be written in double quotes', () => {
  const value = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\r'));
  fc.assert(
    fc.property(value, (text) => {
      const quoted = `"${text.replaceAll(/["\\$]/g, String.raw`\$&`)}"`;
      expect(parseDotenv(`BEFORE=1\nA=${quoted}\nAFTER=2`)).toEqual(
        new Map([
          ['BEFORE', '1'],
          ['A', text],
          ['AFTER', '2'],
        ]),
      );
    }),
  );
});
