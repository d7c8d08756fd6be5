import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileProject } from '../../test/fixtures/compile-project.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';

// The comments say which lines must not compile.
const PROGRAM = `import { defineParams, MarkdownSection, PromptTemplate } from 'fairlead';
import type { Section } from 'fairlead';

const Database = defineParams<{ dbPath: string; enableWrite?: boolean; snake_case?: number }>('database', {
  fields: ['dbPath', 'enableWrite', 'snake_case'],
});
const Complete = defineParams<{ a: string; b?: number }>('complete', { defaults: { a: 'x', b: 1 } });
const common = { title: 'A', key: 'a' };
const some: string = common.title;

const sections: readonly Section[] = [
  new MarkdownSection({ ...common, template: 'plain $$dbPath, $5, \${not a name}, \${A:-b}, $' }),
  new MarkdownSection({ ...common, template: some }),
  new MarkdownSection({ ...common, params: Database, template: '$dbPath \${enableWrite}$snake_case/\${dbPath}x' }),
  new MarkdownSection({ ...common, params: Database, template: \`\${some} $dbPath\` }),
  new MarkdownSection({
    ...common,
    defaultParams: Complete(),
    template: '$a$b',
    enabled: ({ a, session }, scope) => a !== '' && session === scope.session,
    visibility: (params) => (params.b === 1 ? 'full' : 'summary'),
    mcps: ({ a }) => (a.length > 3 ? [] : []),
  }),
  new MarkdownSection({ ...common, template: '', enabled: ({ session }) => session === undefined }),
];
new PromptTemplate({ ns: 'a', key: 'b', sections }).bind(Database({ dbPath: 'x' }), Complete());

new MarkdownSection({ ...common, template: 'at $dbPath' }); // no params
new MarkdownSection({ ...common, params: Database, template: 'at $dbpath' }); // wrong case
new MarkdownSection({ ...common, params: Database, template: 'at $dbPath $enable-write' }); // a dash ends a name
new MarkdownSection({ ...common, params: Database, template: '\${dbPath} \${other}' }); // no such field
new MarkdownSection({ ...common, params: Database, template: \`\${some} $other\` }); // not even in a part
new MarkdownSection({ ...common, params: Database, template: '', enabled: (params) => params.other }); // no such field
new MarkdownSection({ ...common, params: Database, template: '', visibility: () => 'hidden' }); // no such visibility
Database({}); // one is missing
Database({ dbPath: 1 }); // wrong type
defineParams<{ a: string }>('a', { fields: ['b'] }); // no such field
defineParams<{ a: string; b?: string }>('a', { defaults: { a: 'x' } }); // not for every field
`;

test('[S0.template-params] an unknown placeholder in a literal template does not compile', async () => {
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('program.ts'), PROGRAM);
  writeFileSync(folder.file('package.json'), '{ "type": "module" }');
  const wrong = PROGRAM.split('\n').flatMap((line, index) =>
    line.includes('); // ') ? [`program.ts(${index + 1})`] : [],
  );
  const problems = await compileProject({ folder: folder.path, files: ['program.ts'], fairlead: 'dist/index.d.ts' });
  expect(problems.map((problem) => problem.replace(/: TS\d+$/, ''))).toEqual(wrong);
});
