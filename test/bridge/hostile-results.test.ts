import { expect, test } from 'vitest';
import { McpServer } from '../../src/index.ts';
import type { CallReport, Content, JsonObject } from '../../src/index.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { faultyServer } from '../hub/servers.ts';
import { CallBench } from './call-bench.ts';
import type { CallBenchOptions } from './call-bench.ts';

const PROMISED = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
const LONG = Array.from({ length: 30_000 }, (_, line) => `line ${line} 🦊`).join('\n');

test('strict: structured content that breaks the output schema is a tool-error that says how, and is shown', async () => {
  const broken = { content: [], structuredContent: { sum: 'four', extra: 1 } };
  await using bench = answering(broken, { outputSchema: PROMISED });
  const report = await bench.caller.call(TOOL);
  expect(report).toMatchObject({
    success: false,
    outcome: 'tool-error',
    message: expect.stringMatching(/^mcp__odd__tool ran, but its result does not fit its output schema: sum: /),
    content: [
      { type: 'text', text: report.message },
      { type: 'text', text: '{"sum":"four","extra":1}' },
    ],
  });
});

test('strict: what the server said beside a broken promise is kept', async () => {
  const said = { type: 'text', text: 'the sum is four' };
  await using bench = answering({ content: [said] }, { outputSchema: PROMISED });
  const report = await bench.caller.call(TOOL);
  expect(report.message).toBe(
    'mcp__odd__tool ran, but its result does not fit its output schema: it has no structured content',
  );
  expect(report.content).toEqual([{ type: 'text', text: report.message }, said]);
});

test('strict: a failure owes nothing to the output schema', async () => {
  await using bench = answering(
    { content: [{ type: 'text', text: 'no luck' }], isError: true },
    { outputSchema: PROMISED },
  );
  expect(await bench.caller.call(TOOL)).toMatchObject({ outcome: 'tool-error', message: 'no luck' });
});

test('tolerant: structured content that breaks the output schema comes through as it is', async () => {
  const structuredContent = { sum: 'four', extra: 1 };
  await using bench = answering(
    { content: [], structuredContent },
    { outputSchema: PROMISED },
    { caller: { outputChecks: 'tolerant' } },
  );
  expect(await bench.caller.call(TOOL)).toMatchObject({ outcome: 'ok', content: [], structuredContent });
});

test('[S3.content-kinds] every kind of content, known or not, arrives byte for byte', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('base64');
  const content = [
    { type: 'text', text: '\u0000 "ü" \uD83E\uDD8A \u2028 end', annotations: { audience: ['user'], priority: 0.5 } },
    { type: 'image', data: bytes, mimeType: 'image/png', _meta: { 'example.com/key': [1, null, 'x'] } },
    { type: 'audio', data: bytes, mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'x://text', mimeType: 'text/plain', text: 'embedded\r\n' } },
    { type: 'resource', resource: { uri: 'x://blob', mimeType: 'application/octet-stream', blob: bytes } },
    { type: 'resource_link', uri: 'x://link', name: 'link', title: 'A link', size: 12 },
    { type: 'hologram', volume: { voxels: [[1.5, -1, 1e300]] }, text: 'a kind nobody knows yet' },
    { type: 'text' },
    { type: 'resource', resource: null },
  ];
  const structuredContent = { nested: [{ deep: { value: null } }], number: 12_345.678_9, empty: {} };
  await using bench = answering({ content, structuredContent, _meta: { trace: 'x' } });
  const { success, content: received, structuredContent: structured } = await bench.caller.call(TOOL);
  expect({ success, received, structured }).toEqual({
    success: true,
    received: content,
    structured: structuredContent,
  });
  expect(JSON.stringify(received)).toBe(JSON.stringify(content));
  expect(bench.eventsOf('tool-invoked')[0]?.result.content).toEqual(content);
});

test('[S1.messages] an error without a text is called an MCP error', async () => {
  for (const answer of [
    { content: [], isError: true },
    { isError: true },
    { content: [{ type: 'text', text: '  ' }], isError: true },
    { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }], isError: true },
  ]) {
    await using bench = answering(answer);
    expect(await bench.caller.call(TOOL)).toMatchObject({
      success: false,
      outcome: 'tool-error',
      message: 'MCP error',
      content: answer.content ?? [],
    });
  }
});

test('[S1.messages] an RPC error without a message is called an MCP error', async () => {
  await using bench = answering(() => {
    throw Object.assign(new Error(''), { code: -32_000 });
  });
  expect(await bench.caller.call(TOOL)).toMatchObject({ outcome: 'tool-error', message: 'MCP error' });
});

test.each([
  ['by default', undefined],
  ['with a small limit', 3_000],
  ['with a limit smaller than any piece', 10],
])('a text that is too long is cut, and can be read to its last character, %s', async (_, resultCharacters) => {
  await using bench = answering(
    { content: [{ type: 'text', text: LONG }] },
    {},
    { caller: resultCharacters === undefined ? {} : { resultCharacters } },
  );
  expect(bench.caller.tools().map(({ name }) => name)).not.toContain('read_result');
  const report = await bench.caller.call(TOOL);
  expect(report).toMatchObject({ outcome: 'ok', truncated: { handle: 'result-1', totalCharacters: LONG.length } });
  const [piece] = report.content;
  const shown = String(piece?.['text']);
  expect(shown.length).toBeLessThan((resultCharacters ?? 100_000) + 2_500);
  const notice = /\n\[… \d+ of \d+ characters are left out here; read on with read_result (\{.*\}) …\]\n/.exec(shown);
  const head = shown.slice(0, notice?.index);
  const tail = shown.slice((notice?.index ?? 0) + (notice?.[0].length ?? 0));
  expect([LONG.startsWith(head), LONG.endsWith(tail), isWhole(head), isWhole(tail)]).toEqual([true, true, true, true]);
  expect(bench.caller.tools().map(({ name }) => name)).toContain('read_result');
  const { handle, offset } = JSON.parse(notice?.[1] ?? '{}') as { handle: string; offset: number };
  expect(head + (await readOn(bench, handle, offset))).toBe(LONG);
});

test('a resource whose text is cut keeps its address and its type, and every other piece stays', async () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
  const content = [
    { type: 'text', text: 'first' },
    { type: 'resource', resource: { uri: 'x://long', mimeType: 'text/csv', text: LONG } },
    image,
    { type: 'resource', resource: { uri: 'x://short', text: 'short' } },
    { type: 'text', text: 'last' },
  ];
  await using bench = answering({ content }, {}, { caller: { resultCharacters: 5_000 } });
  const report = await bench.caller.call(TOOL);
  const told = JSON.stringify(report.content);
  for (const kept of ['x://long', 'text/csv', 'x://short']) expect(told).toContain(kept);
  expect(report.content).toEqual(expect.arrayContaining([{ type: 'text', text: 'first' }, image]));
  expect(await readOn(bench, report.truncated?.handle ?? '', 0)).toBe([LONG, 'short', 'last'].join('\n'));
});

test('an error that is too long is cut in its message, too', async () => {
  await using bench = answering({ content: [{ type: 'text', text: LONG }], isError: true });
  const report = await bench.caller.call(TOOL);
  expect(report.outcome).toBe('tool-error');
  expect(report.message.length).toBeLessThan(101_000);
  expect(await readOn(bench, report.truncated?.handle ?? '', 0)).toBe(LONG);
  const [event] = bench.eventsOf('tool-invoked');
  expect(JSON.stringify(event).length).toBeLessThan(300_000);
});

test('a text of exactly the limit is not cut', async () => {
  await using bench = answering(
    { content: [{ type: 'text', text: 'x'.repeat(5_000) }] },
    {},
    { caller: { resultCharacters: 5_000 } },
  );
  const report = await bench.caller.call(TOOL);
  expect([report.truncated, String(report.content[0]?.['text']).length]).toEqual([undefined, 5_000]);
});

test('structured content as deep as may be arrives whole; deeper is refused and harms nobody', async () => {
  await using bench = new CallBench({
    servers: [faultyServer('deep', 'deep-json', { depth: 100 }), faultyServer('deeper', 'deep-json')],
  });
  const deep = await bench.caller.call({ server: 'deep', tool: 'echo' }, { message: 'x' });
  expect(JSON.stringify(deep.structuredContent)).toBe('['.repeat(100) + ']'.repeat(100));
  const deeper = { server: 'deeper', tool: 'echo' };
  expect(await bench.caller.call(deeper, { message: 'x' })).toMatchObject({ outcome: 'tool-error' });
  expect(await bench.caller.call({ ...deeper, tool: 'look' }, { message: 'y' })).toMatchObject({ outcome: 'ok' });
});

test('names that every object inherits arrive as they are and pollute nothing, in events too', async () => {
  const secret = 'a secret that makes events be copied';
  await using bench = new CallBench({
    servers: [faultyServer('proto', 'proto-names').withEnv({ API_TOKEN: secret })],
  });
  const report = await bench.caller.call(
    { server: 'proto', tool: '__proto__' },
    JSON.parse('{"__proto__":{"a":1}}') as JsonObject,
  );
  const expected = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  expect(report.outcome).toBe('ok');
  expect(JSON.stringify(report.structuredContent)).toBe(expected);
  expect(report.content).toEqual([{ type: 'text', text: '{"tool":"__proto__","arguments":{"__proto__":{"a":1}}}' }]);
  const [event] = bench.eventsOf('tool-invoked');
  expect(JSON.stringify(event?.result.structuredContent)).toBe(expected);
  expect(JSON.stringify(event?.params)).toBe('{"__proto__":{"a":1}}');
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});

const TOOL = { server: 'odd', tool: 'tool' };

/** A server with one tool, which gives this answer. */
function answering(
  answer: JsonObject | (() => JsonObject),
  definition: JsonObject = {},
  options: CallBenchOptions = {},
): CallBench {
  const server = new ScriptedServer({
    'tools/list': () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' }, ...definition }] }),
    'tools/call': () => (typeof answer === 'function' ? answer() : answer),
  });
  return new CallBench({ servers: [McpServer.sdk('odd')], inProcess: { odd: server }, ...options });
}

/** Reads on as a model does, by what it is told. */
async function readOn(bench: CallBench, handle: string, offset: number): Promise<string> {
  const pieces: string[] = [];
  for (let next: number | undefined = offset; next !== undefined;) {
    const report: CallReport = await bench.caller.call('read_result', { handle, offset: next });
    expect([report.outcome, report.truncated]).toEqual(['ok', undefined]);
    const [{ text } = { text: '' }] = report.content as readonly (Content & { text: string })[];
    const footer = /\n\[Characters \d+ to \d+ of \d+\. (?:This is the end\.|More from offset (\d+)\.)\]$/.exec(text);
    const piece = text.slice(0, footer?.index);
    expect(isWhole(piece)).toBe(true);
    pieces.push(piece);
    next = footer?.[1] === undefined ? undefined : Number(footer[1]);
  }
  return pieces.join('');
}

/** Whether no character of the text was cut in two. */
function isWhole(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}
