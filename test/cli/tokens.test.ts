import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v2Stdio } from '../fixtures/fixture-commands.ts';
import { CliFolder, declared } from './cli-folder.ts';
import { ModuleWatch } from './loaded-modules.ts';

let cli: CliFolder;

beforeAll(async () => {
  cli = await CliFolder.open({
    fixture: declared(v2Stdio(), { enabledTools: ['echo', 'add'] }),
    other: declared(v2Stdio()),
  });
});

afterAll(() => cli[Symbol.asyncDispose]());

test('only the verb that counts tokens loads the tokenizer, which is large', async () => {
  const watch = await ModuleWatch.open();
  for (const verb of [['status'], ['tools'], ['call', 'fixture', 'echo', '{"text":"x"}']]) await cli.run(verb, watch);
  expect(await watch.installed()).toEqual([]);
  await cli.run(['tokens'], watch);
  expect(await watch.installed()).toEqual(['gpt-tokenizer']);
});

describe('tokens', () => {
  test('tells what the tools of each server cost, and all of them, in sight or closed', async () => {
    const { status, stdout } = await cli.run(['tokens', '--json']);
    const report = JSON.parse(stdout) as { servers: { name: string; tools: number; tokens: number }[]; inline: number };
    expect({ status, report }).toEqual({
      status: 0,
      report: {
        method: 'o200k_base',
        servers: [
          { name: 'fixture', tools: 2, tokens: expect.any(Number) },
          { name: 'other', tools: expect.any(Number), tokens: expect.any(Number) },
        ],
        sections: [],
        inline: (report.servers[0]?.tokens ?? 0) + (report.servers[1]?.tokens ?? 0),
        closed: expect.any(Number),
      },
    });
    expect(report.servers[1]?.tokens).toBeGreaterThan(report.servers[0]?.tokens ?? Infinity);
  });

  test('as a table for people', async () => {
    const { status, stdout } = await cli.run(['tokens']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^SERVER +TOOLS +TOKENS\nfixture +2 +\d+\nother +\d+ +\d+\n\n\d+ tokens with every tool in sight, \d+ with sections closed \(o200k_base\)\.\n$/,
    );
  });
});
