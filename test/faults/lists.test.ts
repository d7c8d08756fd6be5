import { expect } from 'vitest';
import { textOf } from '../../src/index.ts';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { faultRow } from './fault-row.ts';

const DEBOUNCE_MS = 250;

faultRow(
  {
    row: 21,
    fault: 'tools and members named __proto__, constructor, toString',
    expected: 'nothing is polluted, the tools can be used',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'proto-names'));
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    expect(bench.hub.tools('faulty').map(({ tool }) => tool)).toEqual(['echo', 'look', ...names]);
    for (const tool of names) {
      const agentName = bench.hub.tools('faulty').find((spec) => spec.tool === tool)?.name ?? '';
      expect(bench.hub.findTool(agentName)).toMatchObject({ server: 'faulty', tool });
      const { outcome, content } = await bench.caller.call(agentName, { toString: tool });
      expect([outcome, JSON.parse(textOf(content))]).toEqual(['ok', { tool, arguments: { toString: tool } }]);
    }
    await bench.bystanderAnswers();
    const polluted = [
      'polluted' in {},
      Object.getPrototypeOf({}) !== Object.prototype,
      typeof {}.toString !== 'function',
    ];
    expect(polluted).toEqual([false, false, false]);
    return `${names.length} tools called by these names, all ok; Object.prototype untouched`;
  },
);

faultRow(
  {
    row: 22,
    fault: 'bad tools in the list',
    expected: 'those without a usable name are held back with a reason, the rest are served',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'bad-tool-in-list'));
    const offered = bench.hub.tools('faulty');
    expect(offered.map(({ tool }) => tool)).toEqual([
      'echo',
      'schema-null',
      'schema-array',
      'schema-string',
      'schema-missing',
      'schema-of-array',
      'bad-annotations',
      'bad-description',
      'look',
    ]);
    const repaired = offered.filter(({ schemaReport }) => schemaReport.length > 0);
    expect(repaired.every(({ inputSchema }) => inputSchema['type'] === 'object')).toBe(true);
    const held = bench.hub.quarantinedTools('faulty');
    expect(held.map(({ tool, reason }) => [tool, reason.startsWith('has no usable name')])).toEqual([
      ['#2', true],
      ['#3', true],
      ['#11', true],
      ['#12', true],
    ]);
    expect(bench.events.filter(({ type }) => type === 'tool-quarantined')).toHaveLength(held.length);
    await bench.bystanderAnswers();
    const outcomes = [
      (await bench.call('faulty', 'look')).outcome,
      (await bench.call('faulty', 'schema-null')).outcome,
    ];
    expect(outcomes).toEqual(['ok', 'ok']);
    return `${offered.length} tools served, ${repaired.length} of them with the open schema; ${held.length} held back, each with event and reason`;
  },
);

faultRow(
  {
    row: 23,
    fault: 'one tool name twice in the list',
    proves: '[S2.collisions]',
    expected: 'the first is kept and can be called, the second is held back with a reason',
  },
  async (bench) => {
    await bench.hub.connect('faulty', bench.faulty('faulty', 'duplicate-tools'));
    const echoes = bench.hub.tools('faulty').filter(({ tool }) => tool === 'echo');
    expect(echoes.map(({ description }) => description)).toEqual(['Returns the message.']);
    const held = bench.hub.quarantinedTools('faulty');
    expect(held).toEqual([{ server: 'faulty', tool: 'echo', reason: expect.stringContaining('twice') }]);
    await bench.bystanderAnswers();
    const { outcome } = await bench.call('faulty', 'echo');
    expect(outcome).toBe('ok');
    return `'${echoes[0]?.description}' kept, call ${outcome}; second held back: ${held[0]?.reason}`;
  },
);

faultRow(
  {
    row: 24,
    fault: 'a list whose pages never end',
    expected: 'read up to a cursor that comes again, or 100 pages, with a warning; what was read is served',
  },
  async (bench) => {
    const observed: string[] = [];
    for (const cursor of ['same', 'new']) {
      const received = bench.folder.file(cursor);
      await bench.hub.connect(cursor, bench.faulty(cursor, 'endless-cursor', { cursor, received }));
      const pages = listsIn(bench, cursor);
      const { warnings = [] } = bench.hub.serverStatus(cursor);
      expect(warnings).toHaveLength(1);
      expect(bench.logger.messages('warn')).toContain(warnings[0]);
      const { outcome } = await bench.call(cursor, 'echo');
      expect(outcome).toBe('ok');
      observed.push(
        `${cursor} cursor: ${pages} pages, ${bench.hub.tools(cursor).length} tools, call ${outcome}, warned`,
      );
    }
    expect([listsIn(bench, 'same'), listsIn(bench, 'new')]).toEqual([2, 100]);
    await bench.bystanderAnswers();
    return observed.join('; ');
  },
);

faultRow(
  {
    row: 25,
    fault: 'storm of 1,000 list_changed',
    expected: 'listed again once, 250 ms after the first; one refresh at a time',
  },
  async (bench) => {
    const faulty = bench.faulty('faulty', 'list-changed-storm', {
      count: 1000,
      received: bench.folder.file('received'),
    });
    await bench.hub.connect('faulty', faulty);
    for (const lists of [1, 2]) {
      const { outcome } = await bench.call('faulty', 'echo');
      expect(outcome).toBe('ok');
      await bench.clock.advance(DEBOUNCE_MS - 1);
      expect(listsIn(bench, 'received')).toBe(lists);
      await bench.clock.advance(1);
      await until(() => listsIn(bench, 'received') === lists + 1, { describe: 'the tools are listed again' });
      await bench.bystanderAnswers();
    }
    await bench.clock.advance(60_000);
    // The server answers in order: when it has answered this call, no list request is on its way.
    await bench.call('faulty', 'look');
    expect(listsIn(bench, 'received')).toBe(3);
    return 'two storms of 1,000: listed again once each, after 250 ms, and not after that';
  },
);

function listsIn(bench: FaultBench, file: string): number {
  return bench.folder.lines(file).filter((line) => (JSON.parse(line) as { method: string }).method === 'tools/list')
    .length;
}
