import { readdir, readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { sandboxGap } from './fixtures/sandbox-here.ts';
import { SECTION_EXAMPLES } from './section-examples.ts';

const EXPECTED: Readonly<Record<string, readonly unknown[][]>> = {
  ...SECTION_EXAMPLES,
  'config-files.ts': [
    [[{ type: 'text', text: 'Echo: Hello' }]],
    ["Refused: 'everything/get-env' matches 'get-env' in the policy 'names'."],
  ],
  'first-call.ts': [[['mcp__greeter__greet']], ['ok', [{ type: 'text', text: 'Hello, Ada!' }]]],
  'real-servers.ts': [
    ['everything', 'connected', ''],
    ['broken', 'failed', expect.stringContaining('a-command-that-does-not-exist')],
    [['mcp__everything__echo', 'mcp__everything__get-sum']],
    [[{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]],
    ['unavailable'],
  ],
  'follow-events.ts': [
    ['everything', 'connecting'],
    ['everything', 'connected'],
    ['everything', 'mcp__everything__echo', 'ok'],
    ['everything', 'disabled'],
    ['everything', 'mcp__everything__echo', 'unavailable'],
    ['everything', 'disconnected'],
  ],
  'governed-call.ts': [
    ['deploy', 'denied'],
    ["Tool 'deploy' requires: test"],
    ['test', 'ok'],
    ['deploy', 'invalid'],
    ['deploy was not called, because its arguments do not fit: version: expected a string, got the number 123'],
    ['asked:', 'deploy', { version: '0.0.0' }, expect.stringContaining('destructiveHint is true')],
    ['deploy', 'tool-error'],
    ['asked:', 'deploy', { version: '1.2.3' }, expect.stringContaining('destructiveHint is true')],
    ['deploy', 'ok'],
    [['1.2.3']],
  ],
  'answer-questions.ts': [['For how many people?'], [[{ type: 'text', text: 'Booked on Friday: {"people":4}' }]]],
  'shared-connections.ts': [
    ['shared with the colleague:', true],
    ['shared with the stranger:', false],
  ],
  'notes-server.ts': [],
  'open-sections.ts': [
    ['- notes: Keeps short notes. tools unknown until opened'],
    [['open_sections', 'search_tools']],
    ['opened', ['notes'], 'to read a note'],
    [['open_sections', 'search_tools', 'mcp__notes__read_note', 'mcp__notes__write_note', 'mcp__notes__delete_note']],
    ['Buy milk'],
  ],
  'ask-for-approval.ts': [
    ['Success'],
    [
      'notes',
      'delete_note',
      { path: 'todo' },
      "Tool 'delete_note' of server 'notes' may destroy something (destructiveHint is true), by the word of a trusted server. Approve the call if it is meant.",
    ],
    ['Success'],
    ['notes', 'delete_note', { path: 'diary' }, expect.any(String)],
    ['Keep that one.'],
  ],
  'allow-by-name.ts': [
    [['mcp__notes__read_note', 'mcp__notes__write_note']],
    ['ok'],
    ["Refused: no pattern of the policy 'patterns' matches 'notes/write_note'."],
    ["Refused: 'notes/delete_note' matches '*/delete_*' in the policy 'patterns'."],
  ],
  'order-of-calls.ts': [
    ["Tool 'delete_note' requires: write_note(path=archive)"],
    ["File 'archive' must be read before overwriting."],
    ['ok'],
    ['ok'],
  ],
  'limit-and-cache.ts': [
    [undefined, true, [{ type: 'text', text: 'Buy milk' }]],
    [[{ type: 'text', text: 'Buy tea' }]],
    [expect.stringMatching(/^Rate limit for tool 'notes\/write_note': 1 call in 60 s; try again in \d+ s$/)],
  ],
  'event-log.ts': [
    ['tool-started', 'greet', undefined],
    ['tool-invoked', 'greet', 'ok'],
    ['tool-invoked', 'greet', 'invalid'],
  ],
  'trace-calls.ts': [
    ['execute_tool divide', 'ok', undefined, true],
    ['execute_tool divide', 'tool-error', 'nothing can be divided by zero', true],
    ['turn of the agent', undefined, undefined, false],
  ],
  // What it prints depends on whether this machine has a sandbox.
  'isolation.ts':
    sandboxGap === undefined
      ? [
          ['connected', { files: 'confined', network: ['api.github.com'] }],
          ['/tmp/hello.txt', 'ok', ''],
          ['/usr/hello.txt', 'tool-error', 'EROFS'],
        ]
      : [
          ['failed', 'ISOLATION_UNAVAILABLE'],
          ['/tmp/hello.txt', 'unavailable', ''],
          ['/usr/hello.txt', 'unavailable', ''],
        ],
  'own-policy.ts': [['ok'], ['Only 3 characters may still be written.']],
};

test.each(Object.keys(EXPECTED))('the example %s prints what it should', async (file) => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import(`../examples/${file}`);
  expect(log.mock.calls).toEqual(EXPECTED[file]);
});

test('every example is run', async () => {
  const files = await readdir(new URL('../examples', import.meta.url));
  expect(files.filter((file) => file.endsWith('.ts')).toSorted()).toEqual(Object.keys(EXPECTED).toSorted());
});

test('every piece of TypeScript in the guides and the README is an example that is run', async () => {
  for (const page of await pages()) {
    for (const [, file = '', code = ''] of page.text.matchAll(/<!-- (\S+) -->\n```ts\n([^]*?)```/g)) {
      expect(code, `${page.path} shows ${file}`).toBe(await readFile(new URL(`../${file}`, import.meta.url), 'utf8'));
    }
    const blocks = page.text.match(/```ts\n/g)?.length ?? 0;
    const checked = page.text.match(/<!-- \S+ -->\n```ts\n/g)?.length ?? 0;
    expect(`${page.path}: ${checked}`).toBe(`${page.path}: ${blocks}`);
  }
});

async function pages(): Promise<readonly { path: string; text: string }[]> {
  const guides = (await readdir(new URL('../docs/guides', import.meta.url))).map((file) => `docs/guides/${file}`);
  const paths = ['README.md', ...guides.filter((path) => path.endsWith('.md'))];
  return Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(new URL(`../${path}`, import.meta.url), 'utf8') })),
  );
}
