import { describe, expect, test } from 'vitest';
import { citationsIn, coverageProblems, testSources } from './citations.ts';
import type { Citation } from './citations.ts';
import { pathsUnder, readFiles } from './project-files.ts';
import { REQUIREMENTS } from './requirements.ts';
import type { Requirement } from './requirements.ts';

describe('the requirements', () => {
  test('are all there', () => {
    expect(REQUIREMENTS).toHaveLength(150);
    expect(REQUIREMENTS.filter(({ id, document }) => !id.startsWith(`${document}.`))).toEqual([]);
  });

  test('are each proved by a test, or planned', () => {
    const paths = [...pathsUnder('src'), ...pathsUnder('test')].filter((path) => path.endsWith('.ts'));
    const citations = testSources(readFiles(paths)).flatMap(citationsIn);
    expect(coverageProblems(REQUIREMENTS, citations)).toEqual([]);
  });
});

describe('coverageProblems', () => {
  const proved: Requirement = { id: 'S0.one', document: 'S0', part: 'hub', claim: 'One holds' };
  const planned: Requirement = { id: 'S0.two', document: 'S0', part: 'call', claim: 'Two will', status: 'planned' };
  const partly: Requirement = { ...planned, partly: 'the first half' };

  test('finds nothing when what is cited is exactly what is not planned', () => {
    expect(coverageProblems([proved, planned], [cite('S0.one')])).toEqual([]);
    expect(coverageProblems([proved, partly], [cite('S0.one'), cite('S0.two')])).toEqual([]);
  });

  test('finds a requirement that no test cites', () => {
    expect(coverageProblems([proved], [])).toEqual(['S0.one has no test: One holds']);
  });

  test('finds a citation of nothing', () => {
    expect(coverageProblems([proved], [cite('S0.one'), cite('S0.none')])).toEqual([
      'a.test.ts: no requirement S0.none: [S0.none] holds',
    ]);
  });

  test('finds a planned requirement that is proved already', () => {
    expect(coverageProblems([planned], [cite('S0.two')])).toEqual([
      'S0.two is planned but cited: remove its status, or say what holds partly',
    ]);
  });

  test('finds a part that is only said to hold', () => {
    expect(coverageProblems([partly], [])).toEqual(['S0.two is said to hold partly, but no test cites it']);
    expect(coverageProblems([{ ...proved, partly: 'half' }], [cite('S0.one')])).toEqual([
      'S0.one is said to hold partly, but is not planned',
    ]);
  });

  test('finds an id that is listed twice', () => {
    expect(coverageProblems([proved, proved], [cite('S0.one')])).toEqual(['S0.one is listed twice']);
  });
});

describe('citationsIn', () => {
  test.each([
    ["test('[S0.a] holds', () => {});", ['S0.a']],
    ["it('[S0.a] [S1.b-c] hold', () => {});", ['S0.a', 'S1.b-c']],
    ["test('[S0.a, S1.b] hold', () => {});", ['S0.a', 'S1.b']],
    ["test.each([1])('[S0.a] holds for %s', () => {});", ['S0.a']],
    ["test.each`n\n${1}`('[S0.a] holds for $n', () => {});", ['S0.a']],
    ["test.concurrent('[S0.a] holds', () => {});", ['S0.a']],
    ["test.skipIf(isWindows)('[S0.a] holds', () => {});", ['S0.a']],
    ['test(`[S0.a] ${name} holds`, () => {});', ['S0.a']],
    ["test('[S0.a] holds ' + name, () => {});", ['S0.a']],
    ["describe('[S0.a]', () => { test('holds', () => {}); });", ['S0.a']],
    ["function suite(open) { test('[S0.a] holds', open); }", ['S0.a']],
  ])('reads %s', (text, ids) => {
    expect(citationsIn({ path: 'a.test.ts', text }).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    "// test('[S0.a] holds')",
    "const text = `test('[S0.a] holds')`;",
    "test.skip('[S0.a] holds', () => {});",
    "test.todo('[S0.a] holds');",
    "test.fails('[S0.a] holds', () => {});",
    "describe.skip('suite', () => { test('[S0.a] holds', () => {}); });",
    "describe('[S0.a] without a test', () => {});",
    "pattern.test('[S0.a] holds');",
    "run('[S0.a] holds');",
  ])('takes no proof from %s', (text) => {
    expect(citationsIn({ path: 'a.test.ts', text })).toEqual([]);
  });

  test('tells which test it was', () => {
    const text = "describe('the hub', () => { test('[S0.a] holds', () => {}); });";
    expect(citationsIn({ path: 'a.test.ts', text })).toEqual([
      { id: 'S0.a', path: 'a.test.ts', test: 'the hub > [S0.a] holds' },
    ]);
  });
});

describe('testSources', () => {
  test('takes test files and the suites they import, but no suite that nobody runs', () => {
    const files = [
      { path: 'src/hub/hub.test.ts', text: "import { suite } from '../../test/contracts/hub-contract.ts';" },
      { path: 'src/hub/hub.ts', text: '' },
      { path: 'test/contracts/hub-contract.ts', text: "import './more.ts';" },
      { path: 'test/contracts/more.ts', text: '' },
      { path: 'test/contracts/unused.ts', text: '' },
    ];
    expect(testSources(files).map(({ path }) => path)).toEqual([
      'src/hub/hub.test.ts',
      'test/contracts/hub-contract.ts',
      'test/contracts/more.ts',
    ]);
  });
});

function cite(id: string): Citation {
  return { id, path: 'a.test.ts', test: `[${id}] holds` };
}
