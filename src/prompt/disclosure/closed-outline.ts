import type { McpServer } from '../../config/server.ts';
import type { ToolSpec } from '../../tools/tool-spec.ts';
import type { ClosedSection, HiddenSection } from '../closed-section.ts';

/** What can be said of a closed section in one line. */
export interface ClosedOutline {
  readonly path: string;
  readonly key: string;
  readonly title: string;
  /** What its servers say they are for. */
  readonly purpose: string;
  /** By the names of their servers, which are shorter than those that agents call. */
  readonly tools: readonly string[];
  /** Whether more tools will show when it is opened. */
  readonly hasUnknown: boolean;
  /** Whether opening it can bring tools; otherwise there is only text to read. */
  readonly mayOfferTools: boolean;
}

/** Looks up what is known of a server's tools. */
export type ToolsOf = (server: McpServer) => readonly ToolSpec[] | undefined;

/** Sums a closed section up, with everything within it. */
export function outlineOf(
  section: ClosedSection,
  contents: readonly HiddenSection[],
  { key, toolsOf }: { readonly key: string; readonly toolsOf: ToolsOf },
): ClosedOutline {
  const tools = new Set<string>();
  const purposes = new Set<string>();
  let hasUnknown = false;
  for (const hidden of contents) {
    if (hidden.unknown !== undefined) hasUnknown = true;
    for (const { name } of hidden.tools) tools.add(name);
    for (const server of hidden.mcps) {
      if (server.description) purposes.add(server.description);
      const known = toolsOf(server);
      hasUnknown ||= known === undefined;
      for (const { tool } of known ?? []) tools.add(tool);
    }
  }
  const { path, title, mayOfferTools } = section;
  return { path, key, title, purpose: [...purposes].join(' '), tools: [...tools], hasUnknown, mayOfferTools };
}
