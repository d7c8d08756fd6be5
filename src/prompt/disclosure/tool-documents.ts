import type { HiddenSection } from '../closed-section.ts';
import type { ToolDocument } from '../search/tool-document.ts';
import type { ToolsOf } from './closed-outline.ts';

/** A tool's name cannot hold a space, so a section that is listed itself is never taken for one. */
const SECTION = 'section ';

/** What a search looks through: the tools in sight, those known of closed sections, and closed sections of which nothing is known. */
export function toolDocuments(
  inSight: readonly ToolDocument[],
  hidden: readonly HiddenSection[],
  toolsOf: ToolsOf,
): readonly ToolDocument[] {
  const byName = new Map<string, ToolDocument>(inSight.map((tool) => [tool.name, tool]));
  const add = (document: ToolDocument): void => {
    if (!byName.has(document.name)) byName.set(document.name, document);
  };
  for (const { path, title, tools, mcps, unknown } of hidden) {
    const section = { key: path, title };
    for (const tool of tools) add({ ...tool, section });
    for (const server of mcps) {
      for (const spec of toolsOf(server) ?? []) add({ ...spec, serverDescription: server.description, section });
    }
    const unlisted = mcps.filter((server) => toolsOf(server) === undefined);
    if (unknown === undefined && unlisted.length === 0) continue;
    const about = unlisted.map(({ name, description }) => `${name} ${description ?? ''}`).join('. ');
    add({ name: `${SECTION}${path}`, title, description: `${title}. ${about}`, section });
  }
  return [...byName.values()];
}

/** Whether a hit is a section whose tools are not known. */
export function isSectionName(name: string): boolean {
  return name.startsWith(SECTION);
}
