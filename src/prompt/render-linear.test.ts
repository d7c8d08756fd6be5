import { describe, expect, test } from 'vitest';
import { tool } from '../../test/fixtures/prompt-sections.ts';
import { McpServer } from '../config/server.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import type { ChoiceContext } from './choice.ts';
import { createPlan } from './create-plan.ts';
import { PromptRenderer } from './render-prompt.ts';
import { Section } from './section.ts';
import type { BodyContext, SectionOptions, SectionTool } from './section.ts';
import type { SectionVisibility } from './visibility.ts';

/** How often anything was looked at. */
interface Tally {
  count: number;
}

/** A section that counts what it is asked. */
class Counted extends Section {
  readonly #tally: Tally;
  readonly #isLive: boolean;

  constructor(
    options: SectionOptions,
    { tally, isLive = false }: { readonly tally: Tally; readonly isLive?: boolean },
  ) {
    super(options);
    this.#tally = tally;
    this.#isLive = isLive;
  }

  override isEnabled(context: ChoiceContext): boolean {
    this.#tally.count += 1;
    return super.isEnabled(context);
  }

  override visibilityFor(context: ChoiceContext): SectionVisibility {
    this.#tally.count += 1;
    return super.visibilityFor(context);
  }

  override tools(): readonly SectionTool[] {
    this.#tally.count += 1;
    return this.#isLive ? [...this.declaredTools] : this.declaredTools;
  }

  override mcps(context?: ChoiceContext): readonly McpServer[] {
    this.#tally.count += 1;
    return super.mcps(context);
  }

  override renderBody({ path }: BodyContext): string | Promise<string> {
    this.#tally.count += 1;
    return this.#isLive ? Promise.resolve(path) : path;
  }

  override clone(): Counted {
    return this;
  }
}

/** The same value, with each look at one of its properties counted. */
function counted<Value extends object>(value: Value, tally: Tally): Value {
  return new Proxy(value, {
    get: (target, key, receiver): unknown => {
      tally.count += 1;
      return Reflect.get(target, key, receiver);
    },
  });
}

type Shape = (size: number, tally: Tally) => readonly Section[];

const parts = (index: number, tally: Tally): SectionOptions => ({
  title: `S${index}`,
  key: `s${index}`,
  tools: [0, 1, 2].map((place) => counted(tool(`tool_${index}_${place}`), tally)),
  mcps: [counted(McpServer.stdio(`server-${index}`, 'never-started', ['--stdio']), tally)],
});

const flat =
  (options: (index: number, tally: Tally) => Partial<SectionOptions>, isLive = false): Shape =>
  (size, tally) =>
    Array.from(
      { length: size },
      (_, index) => new Counted({ ...parts(index, tally), ...options(index, tally) }, { tally, isLive }),
    );

const nested: Shape = (size, tally) => {
  let children: readonly Section[] = [];
  for (let index = 0; index < size; index += 1)
    children = [new Counted({ ...parts(index, tally), children }, { tally })];
  return children;
};

const within =
  (visibility: SectionVisibility): Shape =>
  (size, tally) => [
    new Counted(
      { title: 'All', key: 'all', visibility, summary: 'All of them.', children: flat(() => ({}))(size, tally) },
      { tally },
    ),
  ];

const shapes: readonly (readonly [string, Shape])[] = [
  ['side by side', flat(() => ({}))],
  ['one within the other', nested],
  ['within one that is open', within('full')],
  ['within one that is closed', within('summary')],
  ['closed', flat(() => ({ visibility: 'summary', summary: 'One.' }))],
  ['with policies', flat((index) => ({ policies: [{ name: `policy-${index}` }] }))],
  ['whose servers a function makes', flat((index, tally) => ({ mcps: () => parts(index, tally).mcps as McpServer[] }))],
  ['that share one server', flat(() => ({ mcps: [McpServer.stdio('shared', 'never-started')] }))],
  ['with placeholders in args', flat((index) => ({ mcps: [McpServer.stdio(`s-${index}`, 'never-started', ['$x'])] }))],
  ['that find their tools and texts late', flat(() => ({}), true)],
];

/** Renders so many sections and gives how often a section, its node, a tool or a server was looked at. */
async function looksOf(shape: Shape, size: number): Promise<number> {
  const tally: Tally = { count: 0 };
  const plan = createPlan({
    ns: 'tests',
    key: 'prompt',
    name: undefined,
    sections: shape(size, tally),
    tools: [],
    policies: [],
    resources: ResourceRegistry.of(),
    structuredOutput: undefined,
  });
  const nodes = counted(
    plan.nodes.map((node) => counted(node, tally)),
    tally,
  );
  const renderer = new PromptRenderer({
    ground: { plan: { ...plan, nodes }, bound: new Map(), session: undefined },
    options: {},
    range: [0, plan.nodes.length],
    visibilities: new Map(),
    override: undefined,
    tools: [],
  });
  await renderer.render();
  return tally.count;
}

describe('making a template and rendering it', () => {
  test.each(shapes)('looks as often at each of many sections as at each of few: %s', async (_, shape) => {
    const [few, more, many] = [await looksOf(shape, 20), await looksOf(shape, 40), await looksOf(shape, 320)];
    const perSection = (more - few) / 20;
    expect({ perSection: (many - more) / 280, isBounded: perSection < 100 }).toEqual({ perSection, isBounded: true });
  });
});
