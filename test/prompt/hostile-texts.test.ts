import { describe, expect, test } from 'vitest';
import { AgentRun, defineParams, Hub, MarkdownSection, MemoryOverridesStore, PromptTemplate } from '../../src/index.ts';
import { hubKnowing, unstartable } from './known-catalogs.ts';
import { promptOf, said, texts } from './run-sections.ts';

describe('texts', () => {
  test('long and foreign titles are cut between characters', async () => {
    await using hub = hubKnowing(() => ['go']);
    const sections = [0, 1, 2].map(
      (index) =>
        new MarkdownSection({
          title: `${'x'.repeat(index)}${'👩‍🚀🛰️漢字'.repeat(500)}`,
          key: `s${index}`,
          template: 'T',
          visibility: 'summary',
          mcps: [unstartable(`s${index}`, { description: '🛰️'.repeat(500) })],
        }),
    );
    await using run = await AgentRun.open(promptOf(...sections), { hub });
    expect(isWellFormed(run.text)).toBe(true);
    expect(run.text.length).toBeLessThan(1000);
    const asked = await run.call('search_tools', { query: `${'x'.repeat(99)}🛰️` });
    expect(isWellFormed(said(asked))).toBe(true);
    const unknown = await run.call('open_sections', { section_keys: [`${'x'.repeat(99)}🛰️`], reason: '' });
    expect(isWellFormed(unknown.message)).toBe(true);
  });

  test('params are values and nothing else, whatever they are called and whatever they hold', async () => {
    const Odd = defineParams<{ __proto__: string; constructor: string; price: string }>('odd', {
      fields: ['__proto__', 'constructor', 'price'] as never,
    });
    const template: string = '$price, ${__proto__}, ${constructor}; $5 and $$price';
    const section = new MarkdownSection({ title: 'Odd', key: 'odd', params: Odd, template });
    const values = JSON.parse('{"__proto__":"p","constructor":"c","price":"$price $& $$ ${constructor}"}') as never;
    const prompt = new PromptTemplate({ ns: 'tests', key: 'odd', sections: [section] }).bind(Odd(values));
    expect((await prompt.render()).text).toBe('## 1. Odd (odd)\n\n$price $& $$ ${constructor}, p, c; $5 and $price');
    expect(({} as { p?: string }).p).toBeUndefined();
    const Plain = defineParams<{ a: string }>('plain', { fields: ['a'] });
    expect(() => Plain(JSON.parse('{"a":"x","__proto__":{"b":1}}') as never)).toThrow('have no field __proto__');
    const inherited: string = '$toString';
    expect(() => promptOf(new MarkdownSection({ ...texts('a'), params: Plain, template: inherited }))).toThrow(
      '$toString is no field',
    );
  });

  test('read_section shows a stored text in the place of the own one', async () => {
    const guide = new MarkdownSection({
      ...texts('guide'),
      visibility: 'summary',
      children: [new MarkdownSection(texts('part'))],
    });
    const prompt = promptOf(guide);
    const overrides = new MemoryOverridesStore();
    const hashOf = (path: string): string =>
      prompt.descriptor.sections.find((section) => section.path === path)?.contentHash ?? '';
    const stored = (path: string): object => ({ [path]: { expectedHash: hashOf(path), body: `Stored ${path}.` } });
    await overrides.upsert(prompt.descriptor, { sections: { ...stored('guide'), ...stored('guide.part') } });
    await using hub = new Hub();
    await using run = await AgentRun.open(prompt, { hub, render: { overrides } });
    expect(said(await run.call('read_section', { section_key: 'guide' }))).toBe(
      '## 1. Guide section (guide)\n\nStored guide.\n\n### 1.1. Part section (guide.part)\n\nStored guide.part.',
    );
  });

  test('keys that are names of methods are keys like others', async () => {
    await using hub = hubKnowing(() => ['git_diff']);
    const named = new MarkdownSection({ ...texts('constructor'), visibility: 'summary', mcps: [unstartable('git')] });
    await using run = await AgentRun.open(promptOf(named), {
      hub,
      render: { visibility: { ['constructor']: 'summary' } as const },
    });
    expect(await run.call('open_sections', { section_keys: ['__proto__'], reason: '' })).toMatchObject({
      message: "No section has the key '__proto__'. Closed sections: constructor.",
    });
    expect(await run.call('open_sections', { section_keys: ['constructor'], reason: '' })).toMatchObject({
      outcome: 'ok',
    });
  });
});

/** Without half a character anywhere. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
