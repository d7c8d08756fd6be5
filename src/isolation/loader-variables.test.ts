import { expect, test } from 'vitest';
import { loaderVariables, withoutLoaderVariables } from './loader-variables.ts';

test('code is loaded by some variables, and by no others', () => {
  const loading = { LD_PRELOAD: 'a', LD_LIBRARY_PATH: 'b', LD_AUDIT: 'c', GCONV_PATH: 'd', GLIBC_TUNABLES: 'e' };
  const harmless = { PATH: '/usr/bin', OLD_LD_PRELOAD: 'f', TOKEN: 'g' };
  expect(loaderVariables({ ...harmless, ...loading })).toEqual(loading);
  expect(withoutLoaderVariables({ ...loading, ...harmless })).toEqual(harmless);
});
