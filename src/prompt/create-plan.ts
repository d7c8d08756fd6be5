import type { ToolPolicy } from '../policy/tool-policy.ts';
import type { ResourceRegistry } from '../session/resource-registry.ts';
import { mergeResources } from './merge-resources.ts';
import type { AnyParams, BoundParams } from './params.ts';
import { describePrompt } from './prompt-descriptor.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import { PromptValidationError } from './prompt-errors.ts';
import type { PromptPlan, SectionNode } from './prompt-plan.ts';
import { areSettled } from './section-servers.ts';
import { Section } from './section.ts';
import type { SectionTool } from './section.ts';
import type { StructuredOutput } from './structured-output.ts';
import { requireDistinctTools } from './tool-owners.ts';

/** What a plan is made of. */
export interface PlanSource {
  readonly ns: string;
  readonly key: string;
  readonly name: string | undefined;
  readonly sections: readonly Section[];
  readonly tools: readonly SectionTool[];
  readonly policies: readonly ToolPolicy[];
  readonly resources: ResourceRegistry;
  readonly structuredOutput: StructuredOutput | undefined;
}

/** Reads a template and checks all that can be checked before anything is bound. */
export function createPlan(source: PlanSource): PromptPlan {
  const nodes: SectionNode[] = [];
  addSections(source.sections, undefined, nodes);
  const byPath = indexByPath(nodes);
  for (const node of nodes) requireKnownPlaceholders(node);
  requireDistinctTools(
    source.tools,
    nodes.map(({ path, section }) => ({ path, tools: section.declaredTools })),
  );
  let descriptor: PromptDescriptor | undefined;
  const { ns, key, name, tools, policies, structuredOutput } = source;
  return {
    ns,
    key,
    name,
    nodes,
    byPath,
    tools,
    policies,
    structuredOutput,
    resources: mergeResources([source.resources, ...nodes.map(({ section }) => section.resources())]),
    hasSettledServers: areSettled(nodes.flatMap(({ section }) => section.declaredMcps ?? [])),
    params: paramsOf(nodes),
    descriptor: () => (descriptor ??= describePrompt({ ns, key, tools, nodes })),
  };
}

/** Numbers are given here, so that a section keeps its own whichever others are left out of a rendering. */
function addSections(sections: readonly Section[], parent: SectionNode | undefined, nodes: SectionNode[]): boolean {
  let mayOfferTools = false;
  for (const [position, section] of sections.entries()) {
    if (!(section instanceof Section)) throw notASection(section, parent);
    const node = createNode(section, parent, { index: nodes.length, position });
    nodes.push(node);
    const belowMay = addSections(section.children, node, nodes);
    node.end = nodes.length;
    node.mayOfferTools = section.mayOfferTools || belowMay;
    mayOfferTools ||= node.mayOfferTools;
  }
  return mayOfferTools;
}

/** A node whose subtree is not known yet. */
type GrowingNode = { -readonly [Field in keyof SectionNode]: SectionNode[Field] };

function createNode(
  section: Section,
  parent: SectionNode | undefined,
  place: { readonly index: number; readonly position: number },
): GrowingNode {
  const { index, position } = place;
  const path = parent ? `${parent.path}.${section.key}` : section.key;
  const number = parent ? `${parent.number}.${position + 1}` : `${position + 1}`;
  const depth = parent ? parent.depth + 1 : 0;
  // Joined, not interpolated: an interpolated text stays in pieces, which each rendering would gather again.
  const heading = ['#'.repeat(depth + 2), ' ', number, '. ', section.title, ' (', path, ')'].join('');
  return { section, path, number, depth, heading, index, end: index + 1, parent: parent?.index, mayOfferTools: false };
}

/** A key may contain dots, so siblings are not the only ones that can meet at one path. */
function indexByPath(nodes: readonly SectionNode[]): ReadonlyMap<string, SectionNode> {
  const byPath = new Map<string, SectionNode>();
  for (const node of nodes) {
    const other = byPath.get(node.path);
    if (other) {
      throw new PromptValidationError(
        `two sections have this path ('${other.section.title}' and '${node.section.title}'); change the key of one`,
        { section: node.path },
      );
    }
    byPath.set(node.path, node);
  }
  return byPath;
}

function requireKnownPlaceholders({ section, path }: SectionNode): void {
  const names = [...section.placeholders(), ...(section.summaryText?.names ?? [])];
  const fields = section.params?.fields;
  const placeholder = names.find((name) => !fields?.has(name));
  if (placeholder === undefined) return;
  const whose = section.params ? `the params '${section.params.name}'` : 'the section, which takes no params';
  const known = [...(fields ?? [])].join(', ') || 'none';
  throw new PromptValidationError(`$${placeholder} is no field of ${whose} (known: ${known})`, {
    section: path,
    placeholder,
  });
}

function paramsOf(nodes: readonly SectionNode[]): ReadonlyMap<AnyParams, BoundParams | undefined> {
  const found = new Map<AnyParams, BoundParams | undefined>();
  for (const { section } of nodes) {
    if (section.params) found.set(section.params, found.get(section.params) ?? section.defaultParams);
  }
  return found;
}

function notASection(given: unknown, parent: SectionNode | undefined): PromptValidationError {
  const place = parent ? { section: parent.path } : {};
  return new PromptValidationError(`its sections must be Section instances, not ${typeof given}`, place);
}
