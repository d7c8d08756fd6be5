import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOffered, unknownInFilter } from './tool-filter.ts';
import type { ToolFilter } from './tool-filter.ts';

const NAMES = ['read', 'write', 'delete', 'list'];
const someNames = fc.subarray(NAMES);

function offered(filter: ToolFilter): readonly string[] {
  return NAMES.filter((name) => isOffered(filter, name));
}

test.each<[string, ToolFilter, string[]]>([
  ['everything without lists', { disabledTools: [] }, NAMES],
  ['only what the allow list has', { enabledTools: ['read', 'list'], disabledTools: [] }, ['read', 'list']],
  ['nothing with an empty allow list', { enabledTools: [], disabledTools: [] }, []],
  ['all but what the block list has', { disabledTools: ['delete'] }, ['read', 'write', 'list']],
  ['nothing that is on both lists', { enabledTools: ['read', 'delete'], disabledTools: ['delete'] }, ['read']],
])('[S1.filter] offers %s', (_, filter, names) => {
  expect(offered(filter)).toEqual(names);
});

test('[S1.filter] names are compared whole and as they are written', () => {
  const filter = { enabledTools: ['Read', 'rea', 'read ', 're*'], disabledTools: [] };
  expect(offered(filter)).toEqual([]);
});

test('[S1.filter] the allow list comes first, then the block list takes away', () => {
  fc.assert(
    fc.property(fc.option(someNames, { nil: undefined }), someNames, (enabledTools, disabledTools) => {
      const allowed = offered({ enabledTools, disabledTools: [] });
      expect(offered({ enabledTools, disabledTools })).toEqual(allowed.filter((name) => !disabledTools.includes(name)));
    }),
  );
});

test('[S1.filter] names that the server lacks are found in both lists, each once', () => {
  const filter = { enabledTools: ['read', 'raed', 'gone'], disabledTools: ['gone', 'write', 'wirte'] };
  expect(unknownInFilter(filter, NAMES)).toEqual(['raed', 'gone', 'wirte']);
  expect(unknownInFilter({ disabledTools: [] }, [])).toEqual([]);
});
