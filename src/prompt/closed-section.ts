import type { McpServer } from '../config/server.ts';
import type { SectionTool } from './section.ts';

/** A section that shows its summary alone. */
export interface ClosedSection {
  /** What `open_sections` takes. */
  readonly path: string;
  readonly title: string;
  readonly number: string;
  readonly depth: number;
  /** The author's, rendered; absent where one has to be generated. */
  readonly summary: string | undefined;
  /** Whether opening it can bring tools; otherwise there is only text to read. */
  readonly mayOfferTools: boolean;
  /** The keys of the sections right below it. */
  readonly childKeys: readonly string[];
  /** What opening it and everything below would bring, found out when asked; disabled sections are left out. */
  contents(): readonly HiddenSection[];
}

/** What one section within a closed one holds. */
export interface HiddenSection {
  readonly path: string;
  readonly title: string;
  readonly tools: readonly SectionTool[];
  readonly mcps: readonly McpServer[];
  readonly pin: boolean | readonly string[];
  /** Why nothing is known of it yet, such as a server that is not connected. */
  readonly unknown?: unknown;
}

/** How closed sections are told to the model, where it is not as the design documents have it. */
export interface ClosedTexts {
  /** Follows the author's summary. */
  readonly note?: (section: ClosedSection) => string;
  /** One block at the end of the prompt for all closed sections that have no summary of their author's. */
  readonly list?: (sections: readonly ClosedSection[]) => string;
}

/** What follows a summary: how the model gets to see the rest. */
export function closedNote({ path, mayOfferTools, childKeys }: ClosedSection): string {
  const tool = mayOfferTools ? 'open_sections' : 'read_section';
  const how =
    childKeys.length === 0
      ? `To view full content, call \`${tool}\` with key "${path}".`
      : `Call \`${tool}\` with key "${path}" to view full content including subsections: ${childKeys.join(', ')}.`;
  return `---\n[This section is summarized. ${how}]`;
}
