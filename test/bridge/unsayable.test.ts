import { expect, test } from 'vitest';
import type { JsonObject, ToolReply } from '../../src/index.ts';
import { healthyServer } from '../hub/servers.ts';
import { CallBench, nativeTool } from './call-bench.ts';

const round: Record<string, unknown> = { message: 'round' };
round['self'] = round;
const shy = {
  message: 'shy',
  get secret(): string {
    throw new Error('not for you');
  },
};
const UNSAYABLE: readonly JsonObject[] = [round, { message: 'big', big: 1n }, shy];

test.each([false, true])(
  'arguments that no JSON can say make no call throw, and no event that cannot be written; secrets known: %s',
  async (hasSecret) => {
    await using bench = new CallBench({
      servers: [healthyServer('files')],
      caller: { tools: [nativeTool('take', () => 'taken')] },
    });
    if (hasSecret) bench.hub.scrubber.add('a-secret-of-somebody');
    await bench.hub.connect('files');
    for (const args of UNSAYABLE) {
      expect((await bench.see('take', args)).outcome).toBe('ok');
      expect((await bench.see({ server: 'files', tool: 'echo' }, args)).outcome).toBe('invalid');
    }
    expect(bench.eventsOf('tool-invoked')).toHaveLength(2 * UNSAYABLE.length);
    expect(() => JSON.stringify(bench.events)).not.toThrow();
  },
);

test('arguments that write themselves as nothing are not sent', async () => {
  await using bench = new CallBench({ servers: [healthyServer('files')] });
  await bench.hub.connect('files');
  const args = { message: 'x', toJSON: () => undefined };
  expect(await bench.see({ server: 'files', tool: 'echo' }, args)).toMatchObject({
    outcome: 'invalid',
    message: expect.stringContaining('cannot be written as JSON'),
    events: ['tool-invoked'],
  });
});

test('arguments are an object, also where the schema does not say so', async () => {
  await using bench = new CallBench({ caller: { tools: [{ ...nativeTool('take', () => 'taken'), inputSchema: {} }] } });
  for (const args of [null, [], 'text', 5]) {
    expect(await bench.see('take', args as unknown as JsonObject)).toMatchObject({
      outcome: 'invalid',
      read: 'take was not called, because its arguments do not fit: expected an object',
    });
  }
});

test.each<readonly [unknown, string]>([
  [{ content: [null] }, 'content[0] is null, not an object'],
  [{ content: 5 }, 'content is number, not an array'],
  [{ content: [{ text: 'no type' }] }, 'content[0].type is undefined'],
  [
    {
      content: [
        {
          type: 'text',
          get text(): string {
            throw new Error('unreadable');
          },
        },
      ],
    },
    'unreadable',
  ],
  [{ content: [], structuredContent: round }, 'Converting circular structure to JSON'],
  [{ content: [], structuredContent: { big: 1n } }, 'Do not know how to serialize a BigInt'],
  [42, 'a tool returns text, content or nothing, not number'],
  [null, 'a tool returns text, content or nothing, not object'],
])('a native tool that returns what is no answer has failed: %#', async (reply, message) => {
  await using bench = new CallBench({ caller: { tools: [nativeTool('odd', () => reply as ToolReply)] } });
  expect(await bench.see('odd')).toMatchObject({
    outcome: 'tool-error',
    message: expect.stringContaining(message),
    events: ['tool-started', 'tool-invoked'],
  });
  expect(() => JSON.stringify(bench.events)).not.toThrow();
});
