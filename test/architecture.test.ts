import { describe, expect, test } from 'vitest';
import {
  everyFileHasARoom,
  importsOnlyBackwards,
  importsOnlyWhatShips,
  noCycles,
  noDefaultExports,
  noDrawerNames,
  noLongFiles,
  onlyOneBarrel,
  onlyTheClockTellsTime,
  ROOMS,
} from './architecture.ts';
import type { Rule, SourceFile } from './architecture.ts';
import { pathsUnder, readFiles, readJson } from './project-files.ts';

const paths = pathsUnder('src').filter((path) => path.endsWith('.ts'));
const shipped = readFiles(paths.filter((path) => !path.endsWith('.test.ts')));
const manifest = readJson('package.json') as { dependencies?: object; peerDependencies?: object };
const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));

describe('the sources', () => {
  test('are really read', () => {
    expect(shipped.map(({ path }) => path)).toContain('src/clock.ts');
  });

  test.each<[string, Rule]>([
    ['stand in a known room', everyFileHasARoom],
    ['import backwards only', importsOnlyBackwards],
    ['have no import cycles', noCycles],
    ['are named after an idea', noDrawerNames],
    ['are short unless they are a table', noLongFiles],
    ['take the time from the clock', onlyTheClockTellsTime],
    ['have one barrel', onlyOneBarrel],
    ['have no default exports', noDefaultExports],
    ['import only what ships', importsOnlyWhatShips(declared)],
  ])('%s', (_, rule) => {
    expect(rule(shipped)).toEqual([]);
  });

  test('have no drawers among their tests either', () => {
    const tests = [...paths, ...pathsUnder('test')].map((path) => ({ path, text: '' }));
    expect(noDrawerNames(tests)).toEqual([]);
  });
});

describe('importsOnlyBackwards', () => {
  test('lets a room import itself, earlier rooms and the foundations', () => {
    const text = "import './tool.ts'; import '../hub/hub.ts'; import '../clock.ts'; import 'zod';";
    expect(importsOnlyBackwards([file('src/bridge/caller.ts', text)])).toEqual([]);
  });

  test.each([
    ["import { x } from '../cli/main.ts';", 'src/cli/main.ts'],
    ["import type { X } from '../gateway/endpoint.ts';", 'src/gateway/endpoint.ts'],
    ["export { x } from '../bridge/caller.ts';", 'src/bridge/caller.ts'],
    ["export * from '../bridge/caller.ts';", 'src/bridge/caller.ts'],
    ["const x = await import('../cli/main.ts');", 'src/cli/main.ts'],
    ["type X = import('../cli/main.ts').X;", 'src/cli/main.ts'],
    ["import { x } from '../cluster/node.ts';", 'src/cluster/node.ts'],
    ["import { x } from '../index.ts';", 'src/index.ts'],
  ])('finds %s in the hub', (text, target) => {
    expect(importsOnlyBackwards([file('src/hub/hub.ts', text)])).toEqual([
      `src/hub/hub.ts imports ${target}, which comes later`,
    ]);
  });

  test('finds a foundation that imports a room', () => {
    expect(importsOnlyBackwards([file('src/clock.ts', "import './call/content.ts';")])).toEqual([
      'src/clock.ts imports src/call/content.ts, which comes later',
    ]);
  });

  test('finds a room that nobody has placed', () => {
    const text = "import '../cellar/x.ts';";
    expect(importsOnlyBackwards([file('src/hub/hub.ts', text)])).toEqual([
      'src/hub/hub.ts imports src/cellar/x.ts, which is in no known room',
    ]);
    expect(everyFileHasARoom([file('src/cellar/x.ts', ''), file('src/stray.ts', '')])).toEqual([
      'src/cellar/x.ts is in no known room',
      'src/stray.ts is in no known room',
    ]);
  });

  test('does not mistake strings and comments for imports', () => {
    const text =
      "// import '../cli/main.ts';\nconst text = `import '../cli/main.ts'`;\nconst pattern = /import '..\\/cli'/;";
    expect(importsOnlyBackwards([file('src/hub/hub.ts', text)])).toEqual([]);
  });

  test('says which file it could not parse', () => {
    expect(() => importsOnlyBackwards([file('src/hub/hub.ts', 'const = ;')])).toThrow(
      'src/hub/hub.ts cannot be parsed',
    );
  });

  test('knows every room once', () => {
    expect(new Set(ROOMS).size).toBe(ROOMS.length);
  });
});

describe('noCycles', () => {
  test('tells each cycle once', () => {
    const files = [
      file('src/hub/a.ts', "import { b } from './b.ts';"),
      file('src/hub/b.ts', "import type { C } from './c.ts';"),
      file('src/hub/c.ts', "export { a } from './a.ts';"),
      file('src/hub/d.ts', "import './a.ts';"),
    ];
    expect(noCycles(files)).toEqual(['src/hub/a.ts → src/hub/b.ts → src/hub/c.ts → src/hub/a.ts']);
  });

  test('finds a file that imports itself', () => {
    expect(noCycles([file('src/hub/a.ts', "import './a.ts';")])).toEqual(['src/hub/a.ts → src/hub/a.ts']);
  });

  test('lets a lazy import lead back', () => {
    const files = [
      file('src/cli/a.ts', "export const load = () => import('./b.ts');"),
      file('src/cli/b.ts', "import './a.ts';"),
    ];
    expect(noCycles(files)).toEqual([]);
  });
});

describe('noDrawerNames', () => {
  test.each(['utils', 'helpers', 'common', 'manager', 'types', 'string-utils', 'connection-manager', 'test-helper'])(
    'finds %s.ts',
    (name) => {
      expect(noDrawerNames([file(`src/hub/${name}.ts`, '')])).toHaveLength(1);
      expect(noDrawerNames([file(`src/hub/${name}.test.ts`, '')])).toHaveLength(1);
    },
  );

  test('finds a folder', () => {
    expect(noDrawerNames([file('src/utils/text.ts', '')])).toEqual(['src/utils/text.ts is named like a drawer']);
  });

  test('leaves a name that means something alone', () => {
    expect(noDrawerNames([file('src/cli/schema-types.ts', ''), file('src/tools/common-words.ts', '')])).toEqual([]);
  });
});

describe('noLongFiles', () => {
  const long = 'x;\n'.repeat(301);

  test('finds 301 lines but not 300', () => {
    expect(noLongFiles([file('src/a.ts', long), file('src/b.ts', 'x;\n'.repeat(300))])).toEqual([
      'src/a.ts has 301 lines',
    ]);
  });

  test('lets a table be long that says so at its top', () => {
    expect(noLongFiles([file('src/a.ts', `/** A table of provider rules. */\n${long}`)])).toEqual([]);
    expect(noLongFiles([file('src/a.ts', `const table = [];\n${long}`)])).toEqual(['src/a.ts has 302 lines']);
  });
});

describe('onlyTheClockTellsTime', () => {
  test.each([
    ['Date.now()', 'Date.now'],
    ['const { at } = { at: Date.now };', 'Date.now'],
    ['new Date()', 'new Date()'],
    ['Date()', 'Date()'],
    ['setTimeout(run, 5)', 'setTimeout'],
    ['const later = { setInterval };', 'setInterval'],
    ['globalThis.setTimeout(run, 5)', 'globalThis.setTimeout'],
    ['performance.now()', 'performance.now'],
    ['process.hrtime()', 'process.hrtime'],
    ['AbortSignal.timeout(5)', 'AbortSignal.timeout'],
    ["import { setTimeout as sleep } from 'node:timers/promises';", 'node:timers/promises'],
    ["await import('timers')", 'timers'],
    ["import { performance as watch } from 'perf_hooks';", 'perf_hooks'],
  ])('finds %s', (text, use) => {
    expect(onlyTheClockTellsTime([file('src/hub/hub.ts', text)])).toEqual([`src/hub/hub.ts uses ${use}`]);
  });

  test.each([
    'new Date(value).toISOString()',
    'socket.setTimeout(0)',
    'const options = { setTimeout: 5 };',
    'interface Timers { setInterval(): void }',
    'clearTimeout(timer)',
    "'Date.now()'",
  ])('leaves %s alone', (text) => {
    expect(onlyTheClockTellsTime([file('src/hub/hub.ts', text)])).toEqual([]);
  });

  test('lets the clock be the clock', () => {
    expect(onlyTheClockTellsTime([file('src/clock.ts', 'Date.now()')])).toEqual([]);
  });
});

describe('onlyOneBarrel', () => {
  test('lets the public door re-export by name', () => {
    expect(onlyOneBarrel([file('src/index.ts', "export { Hub } from './hub/hub.ts';")])).toEqual([]);
  });

  test('finds a second barrel, a re-export elsewhere, and a star anywhere', () => {
    const files = [
      file('src/hub/index.ts', ''),
      file('src/hub/hub.ts', "export type { X } from './x.ts';"),
      file('src/index.ts', "export * from './hub/hub.ts';"),
    ];
    expect(onlyOneBarrel(files)).toEqual([
      'src/hub/index.ts is a second barrel',
      'src/hub/hub.ts re-exports from ./x.ts',
      'src/index.ts exports * from ./hub/hub.ts',
    ]);
  });
});

describe('noDefaultExports', () => {
  test.each(['export default 1;', 'export default function run() {}', 'const x = 1; export { x as default };'])(
    'finds %s',
    (text) => {
      expect(noDefaultExports([file('src/hub/hub.ts', text)])).toEqual(['src/hub/hub.ts has a default export']);
    },
  );

  test('lets named exports be', () => {
    expect(noDefaultExports([file('src/hub/hub.ts', 'export const x = 1;')])).toEqual([]);
  });
});

describe('importsOnlyWhatShips', () => {
  const rule = importsOnlyWhatShips(new Set(['zod', '@scope/kit']));

  test('lets dependencies, their subpaths, Node and src be imported', () => {
    const text = "import 'zod/v4'; import '@scope/kit/deep'; import 'node:fs'; import '../clock.ts';";
    expect(rule([file('src/hub/hub.ts', text)])).toEqual([]);
  });

  test('finds development dependencies, files outside src, and Node modules without their prefix', () => {
    const text = "import 'vitest'; import '@scope/other'; import '../../test/fixtures/x.ts'; import 'fs';";
    expect(rule([file('src/hub/hub.ts', text)])).toEqual([
      'src/hub/hub.ts imports vitest, which is no dependency',
      'src/hub/hub.ts imports @scope/other, which is no dependency',
      'src/hub/hub.ts imports test/fixtures/x.ts',
      'src/hub/hub.ts imports fs, which is no dependency',
    ]);
  });
});

function file(path: string, text: string): SourceFile {
  return { path, text };
}
