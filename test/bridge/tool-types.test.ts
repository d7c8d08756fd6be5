import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderDeclarationFile } from '../../src/tools/typescript/declaration-file.ts';
import { CliFolder, declared } from '../cli/cli-folder.ts';
import { compileProject } from '../fixtures/compile-project.ts';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { schemaOfDepth } from '../fixtures/random-schema.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';

// As users get it; the sources would have to be compiled too.
const fairlead = 'dist/index.d.ts';

// The comments say which lines must not compile.
const PROGRAM = `import type { Caller } from 'fairlead';
import type { FixtureAddParams } from './tools.ts';

declare const caller: Caller;

const pair: FixtureAddParams = { a: 1, b: 2 };
const right = await caller.call('mcp__fixture__add', pair, { timeoutMs: 1000 });
const sum: number | undefined = right.structuredContent?.sum;
const other = await caller.call('some_other_tool', { anything: [sum] });
const unknown: unknown = other.structuredContent;
await caller.call(String(unknown));
await caller.call({ server: 'fixture', tool: 'add' }, { a: 1 });
await caller.call('mcp__fixture__fail');
await caller.call('mcp__fixture__slow', { ms: 5 });

await caller.call('mcp__fixture__add', { a: 1, b: 'two' }); // wrong type
await caller.call('mcp__fixture__add', { a: 1 }); // one is missing
await caller.call('mcp__fixture__add'); // all are missing
await caller.call('mcp__fixture__add', { a: 1, b: 2, c: 3 }); // no such argument
await caller.call('mcp__fixture__ask', { what: 'time' }); // not in the enum
const text: string | undefined = right.structuredContent?.sum; // a number
right.structuredContent?.total; // no such field
const name: ToolName = 'mcp__fixture__nope'; // no such tool
`;

test('[S1.params-type] with the file that types writes, the compiler finds wrong arguments and knows the structured content', async () => {
  await using cli = await CliFolder.open({ fixture: declared(v2Stdio()) });
  expect(await cli.run(['types', '--out', 'tools.ts'])).toMatchObject({ status: 0 });
  cli.write('program.ts', PROGRAM);
  cli.write('package.json', '{ "type": "module" }');
  const wrong = PROGRAM.split('\n').flatMap((line, index) =>
    line.includes('; // ') ? [`program.ts(${index + 1})`] : [],
  );
  const problems = await compileProject({ folder: cli.path, files: ['program.ts', 'tools.ts'], fairlead });
  expect(problems.map((problem) => problem.replace(/: TS\d+$/, ''))).toEqual(wrong);
});

test('types of any schema compile', async () => {
  await using folder = await openTemporaryFolder();
  const many = fc.array(schemaOfDepth(3), { minLength: 200, maxLength: 200 });
  const compiles = fc.asyncProperty(many, async (schemas) => {
    const tools = schemas.map((schema, index) => ({
      name: `tool ${index}`,
      server: 'any',
      tool: `tool ${index}`,
      description: '',
      inputSchema: schema,
      outputSchema: schema,
    }));
    writeFileSync(folder.file('tools.ts'), renderDeclarationFile(tools));
    const typesAlone = 'src/bridge/tool-types.ts';
    expect(await compileProject({ folder: folder.path, files: ['tools.ts'], fairlead: typesAlone })).toEqual([]);
  });
  // One file holds them all, because the compiler takes longer to start than to compile it.
  await fc.assert(compiles, { numRuns: 1, endOnFailure: true });
});
