import { expect, test } from 'vitest';
import { base64Bytes, formatBytes } from './byte-size.ts';

test.for([
  [0, '0 B'],
  [999, '999 B'],
  [1500, '1.5 kB'],
  [12_345, '12 kB'],
  [999_700, '1.0 MB'],
  [25_000_000_000, '25 GB'],
  [2_500_000_000_000, '2500 GB'],
] as const)('%i bytes are %s', ([bytes, text]) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('base64 stands for its bytes, padded or not', () => {
  expect([base64Bytes('AAEC'), base64Bytes('AAE='), base64Bytes('AAE')]).toEqual([3, 2, 2]);
});
