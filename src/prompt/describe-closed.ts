import type { ClosedSection, HiddenSection } from './closed-section.ts';
import { NodeContext, requireBoolean } from './node-context.ts';
import type { RenderGround } from './node-context.ts';
import { PromptRenderError } from './prompt-errors.ts';
import type { SectionNode } from './prompt-plan.ts';

/** What is told of a section that shows its summary alone. */
export function describeClosed(node: SectionNode, context: NodeContext, ground: RenderGround): ClosedSection {
  const { section, path, number, depth, mayOfferTools } = node;
  // Params that no text needs may be missing.
  const values = section.summaryText && section.summaryText.names.size > 0 ? context.params : {};
  const summary = section.summaryText?.render(values, (placeholder) => {
    throw new PromptRenderError(`no value for $${placeholder} of its summary`, { section: path, placeholder });
  });
  return {
    path,
    title: section.title,
    number,
    depth,
    summary,
    mayOfferTools,
    childKeys: section.children.map(({ key }) => key),
    contents: () => contentsOf(node, ground),
  };
}

function contentsOf(closed: SectionNode, ground: RenderGround): readonly HiddenSection[] {
  const hidden: HiddenSection[] = [];
  let { index } = closed;
  while (index < closed.end) {
    const node = ground.plan.nodes[index];
    if (!node) break;
    const found = lookInto(node, ground);
    if (found) hidden.push(found);
    index = found ? index + 1 : node.end;
  }
  return hidden;
}

/** Undefined for a section that is switched off; one that cannot tell what it has is not allowed to hide its siblings. */
function lookInto(node: SectionNode, ground: RenderGround): HiddenSection | undefined {
  const { section, path } = node;
  const { title, pin } = section;
  try {
    const context = new NodeContext(node, ground);
    if (!requireBoolean(section.isEnabled(context), path)) return undefined;
    return { path, title, pin, tools: section.tools(), mcps: section.mcps(context) };
  } catch (unknown) {
    return { path, title, pin, tools: [], mcps: [], unknown };
  }
}
