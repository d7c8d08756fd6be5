import { expect, test } from 'vitest';
import { AgentRun, Hub, MarkdownSection } from '../../src/index.ts';
import type { SectionTool } from '../../src/index.ts';
import { alive } from '../fixtures/processes.ts';
import { until } from '../fixtures/until.ts';
import { healthyServer } from '../hub/servers.ts';
import { hubKnowing } from './known-catalogs.ts';
import { closed, namesOf, native, open, promptOf, said, texts } from './run-sections.ts';

test('a hub that closes while a run begins fails the run, and nothing beside it', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const hub = new Hub();
  const opening = AgentRun.open(promptOf(open('git'), closed('web')), { hub });
  await hub.close();
  await expect(opening).rejects.toMatchObject({ code: 'HUB_CLOSED' });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a run that cannot begin keeps no server running', async () => {
  const server = healthyServer('live');
  const section = new MarkdownSection({ ...texts('live'), mcps: [server], tools: [native('open_sections')] });
  await using hub = new Hub();
  await expect(AgentRun.open(promptOf(section, closed('git')), { hub })).rejects.toThrow('open_sections');
  const user = hub.view({ servers: [server] });
  const { pid = 0 } = await user.connect('live');
  await user.close();
  expect(alive(pid)).toBe(false);
});

test('what changes while a change is being rendered is seen too', async () => {
  const names = ['first'];
  const section = new ChangingSection({ ...texts('changing'), names });
  await using hub = new Hub();
  await using run = await AgentRun.open(promptOf(section), { hub });
  names.push('second');
  section.whenRead = () => {
    names.push('third');
    section.tell();
  };
  section.tell();
  await until(() => namesOf(run).includes('second'), { describe: 'the first change is seen' });
  expect(await run.call('first')).toMatchObject({ outcome: 'ok' });
  expect(namesOf(run)).toEqual(['first', 'second', 'third']);
});

test('definitions come for a selection however it is written', async () => {
  await using hub = hubKnowing(() => ['git_diff', 'git_log']);
  await using run = await AgentRun.open(promptOf(closed('git')), { hub, definitionTokens: 0 });
  await run.call('open_sections', { section_keys: ['git'], reason: '' });
  expect(said(await run.call('search_tools', { query: 'Select: git_log' }))).toContain('"name":"mcp__git__git_log"');
});

/** Offers what its list says, and tells when it is told to. */
class ChangingSection extends MarkdownSection {
  whenRead: (() => void) | undefined;
  readonly #names: readonly string[];
  #listener: () => void = () => undefined;

  constructor({ names, ...options }: ReturnType<typeof texts> & { readonly names: readonly string[] }) {
    super(options);
    this.#names = names;
  }

  tell(): void {
    this.#listener();
  }

  override tools(): readonly SectionTool[] {
    const tools = this.#names.map(native);
    const { whenRead } = this;
    this.whenRead = undefined;
    if (whenRead) queueMicrotask(whenRead);
    return tools;
  }

  override onToolsChanged(listener: () => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }
}
