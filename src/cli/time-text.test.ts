import { expect, test } from 'vitest';
import { formatAge, formatElapsed } from './time-text.ts';

test.for([
  [-5, '0.0 s', '0s'],
  [420, '0.4 s', '0s'],
  [12_900, '12 s', '12s'],
  [185_000, '3 m 05 s', '3m'],
  [7_800_000, '2 h 10 m', '2h'],
  [356_400_000, '4 d 3 h', '4d'],
] as const)('%i ms', ([ms, elapsed, age]) => {
  expect([formatElapsed(ms), formatAge(ms)]).toEqual([elapsed, age]);
});
