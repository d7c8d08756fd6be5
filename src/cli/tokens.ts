import { disclosureDefinitions } from '../prompt/disclosure/disclosure-cost.ts';
import { DEFAULT_LIST_LIMITS, renderClosedList } from '../prompt/disclosure/closed-list.ts';
import type { ClosedOutline } from '../prompt/disclosure/closed-outline.ts';
import { definitionText } from '../prompt/disclosure/definition-text.ts';
import { countTokens, TOKEN_METHOD } from '../prompt/disclosure/token-counter.ts';
import type { CountTokens } from '../prompt/disclosure/token-counter.ts';
import type { SectionEntry } from '../config/section-entry.ts';
import type { Hub } from '../hub/hub.ts';
import type { Command } from './command.ts';
import { enabledServers, withHub } from './hub-session.ts';
import { knownServers } from './known-servers.ts';
import { renderTable } from './text-table.ts';

/** What `fairlead tokens --json` prints. */
export interface TokenReport {
  readonly method: string;
  readonly servers: readonly CostLine[];
  /** As config files declare them. */
  readonly sections: readonly (CostLine & { readonly servers: readonly string[] })[];
  /** Every definition given to the model. */
  readonly inline: number;
  /** A line per section or lone server, and the tools that open them. */
  readonly closed: number;
}

interface CostLine {
  readonly name: string;
  readonly tools: number;
  readonly tokens: number;
}

/** `fairlead tokens`: what the tools cost the model, all in sight or with sections closed. */
export function runTokens(command: Command): Promise<number> {
  const { flags, output } = command;
  return withHub(command, async ({ hub, setup }) => {
    const wanted = enabledServers(hub);
    const known = await knownServers(command, hub, wanted);
    const report = createReport({ hub, known, sections: setup.sections }, await countTokens());
    if (flags.json) output.json(report);
    else output.lines(renderReport(report, output.width, output.paint.dim));
    return wanted.length > 0 && known.length === 0 ? 1 : 0;
  });
}

interface Measured {
  readonly hub: Hub;
  readonly known: readonly string[];
  readonly sections: ReadonlyMap<string, SectionEntry>;
}

function createReport({ hub, known, sections }: Measured, count: CountTokens): TokenReport {
  const servers = known.map((name): CostLine => {
    const tools = hub.tools(name);
    return { name, tools: tools.length, tokens: sum(tools.map((tool) => count(definitionText(tool)))) };
  });
  const bySection = [...sections].map(([name, { servers: declared = [] }]) => {
    const own = servers.filter((server) => declared.includes(server.name));
    const names = own.map((server) => server.name);
    return {
      name,
      servers: names,
      tools: sum(own.map(({ tools }) => tools)),
      tokens: sum(own.map(({ tokens }) => tokens)),
    };
  });
  const inSections = new Set(bySection.flatMap(({ servers: own }) => own));
  const outlines = [
    ...bySection.map(({ name, servers: own }) =>
      outline(name, { title: sections.get(name)?.title ?? name, servers: own }, hub),
    ),
    ...known
      .filter((name) => !inSections.has(name))
      .map((name) => outline(name, { title: name, servers: [name] }, hub)),
  ];
  const closed = count(renderClosedList(outlines, DEFAULT_LIST_LIMITS)) + sum(disclosureDefinitions().map(count));
  return {
    method: TOKEN_METHOD,
    servers,
    sections: bySection,
    inline: sum(servers.map(({ tokens }) => tokens)),
    closed,
  };
}

function outline(
  key: string,
  { title, servers }: { readonly title: string; readonly servers: readonly string[] },
  hub: Hub,
): ClosedOutline {
  const purpose = servers
    .map((name) => hub.server(name).description ?? '')
    .join(' ')
    .trim();
  const tools = servers.flatMap((name) => hub.tools(name).map(({ tool }) => tool));
  return { path: key, key, title, purpose, tools, hasUnknown: false, mayOfferTools: true };
}

function renderReport(report: TokenReport, width: number, styleTitle: (text: string) => string): readonly string[] {
  const { servers, sections, inline, closed, method } = report;
  const table = (title: string, lines: readonly CostLine[]): readonly string[] =>
    renderTable(
      [{ title }, { title: 'TOOLS', align: 'right' }, { title: 'TOKENS', align: 'right' }],
      lines.map(({ name, tools, tokens }) => [name, String(tools), String(tokens)].map((text) => ({ text }))),
      { width, styleTitle },
    );
  return [
    ...table('SERVER', servers),
    ...(sections.length > 0 ? ['', ...table('SECTION', sections)] : []),
    '',
    `${inline} tokens with every tool in sight, ${closed} with sections closed (${method}).`,
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
