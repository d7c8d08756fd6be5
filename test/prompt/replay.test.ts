import { expect, test } from 'vitest';
import { losingCases, replayAll } from '../../disclosure/replay.mjs';
import { evaluate, Hub, MarkdownSection, McpServer, PromptTemplate } from '../../src/index.ts';
import { definitionText } from '../../src/prompt/disclosure/definition-text.ts';
import { countTokens } from '../../src/prompt/disclosure/token-counter.ts';

/** By task and way: tokens of the first request, tokens of all, turns, calls, and how many of the wanted tools were called. */
const EXPECTED = `
one tool | eager | 5987 | 12019 | 2 | 1 | 1/1
one tool | sections | 408 | 2115 | 3 | 2 | 1/1
one tool | search | 219 | 2638 | 3 | 2 | 1/1
two tools of one section | eager | 5987 | 18104 | 3 | 2 | 2/2
two tools of one section | sections | 408 | 3044 | 4 | 3 | 2/2
two tools of one section | search | 219 | 5329 | 5 | 4 | 2/2
three sections | eager | 5987 | 24250 | 4 | 3 | 3/3
three sections | sections | 408 | 7066 | 5 | 4 | 3/3
three sections | search | 219 | 8810 | 7 | 6 | 3/3
a large section | eager | 5987 | 12019 | 2 | 1 | 1/1
a large section | sections | 408 | 3412 | 4 | 3 | 1/1
a large section | search | 219 | 2424 | 3 | 2 | 1/1
a name twice | eager | 5987 | 12027 | 2 | 1 | 1/1
a name twice | sections | 408 | 2255 | 3 | 2 | 1/1
a name twice | search | 219 | 1802 | 3 | 2 | 1/1
no word in common | eager | 5987 | 12027 | 2 | 1 | 1/1
no word in common | sections | 408 | 2145 | 3 | 2 | 1/1
no word in common | search | 219 | 515 | 2 | 1 | 0/1
another language | eager | 5987 | 12028 | 2 | 1 | 1/1
another language | sections | 408 | 1898 | 3 | 2 | 1/1
another language | search | 219 | 511 | 2 | 1 | 0/1
one small server | eager | 131 | 307 | 2 | 1 | 1/1
one small server | sections | 252 | 1381 | 3 | 2 | 1/1
one small server | search | 219 | 1364 | 3 | 2 | 1/1
`;

const LOSING = [
  'no word in common, search: found 0 of 1',
  'another language, search: found 0 of 1',
  'one small server, sections: 1381 tokens, where showing all costs 307',
  'one small server, search: 1364 tokens, where showing all costs 307',
];

test('a scripted agent pays exactly these tokens, turns and calls, and finds exactly these tools', async () => {
  const count = await countTokens();
  const rows = await replayAll({ evaluate, Hub, MarkdownSection, McpServer, PromptTemplate, definitionText, count });
  const table = rows.map(({ task, way, start, input, turns, calls, found, wanted }) =>
    [task, way, start, input, turns, calls, `${found}/${wanted}`].join(' | '),
  );
  expect(table).toEqual(EXPECTED.trim().split('\n'));
  // What fails says so to the model, and none of this should.
  expect(rows.filter(({ failed }) => failed > 0)).toEqual([]);
  expect(losingCases(rows)).toEqual(LOSING);
});
