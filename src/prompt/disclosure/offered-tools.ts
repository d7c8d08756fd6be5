import type { NativeTool } from '../../bridge/native-tool.ts';
import { PromptValidationError } from '../prompt-errors.ts';
import { asNativeTool } from './as-native-tool.ts';
import { OPEN_SECTIONS, READ_SECTION, SEARCH_TOOLS } from './disclosure-tools.ts';
import type { Sight } from './section-sight.ts';

/** Which tools of ours an agent has: those by which more is seen as far as they are needed, then those of sections. */
export class OfferedTools {
  readonly #disclosureTools: readonly NativeTool[];
  /** Stay once they were needed, so that the beginning of the list never changes. */
  readonly #needed = new Set<string>();

  constructor(disclosureTools: readonly NativeTool[]) {
    this.#disclosureTools = disclosureTools;
  }

  of({ tools, rendered }: Sight): readonly NativeTool[] {
    const closed = rendered.closedSections;
    if (closed.some(({ mayOfferTools }) => mayOfferTools)) this.#needed.add(OPEN_SECTIONS).add(SEARCH_TOOLS);
    if (closed.some(({ mayOfferTools }) => !mayOfferTools)) this.#needed.add(READ_SECTION);
    const taken = tools.find(({ name }) => this.#needed.has(name));
    if (taken) throw new PromptValidationError(`a tool cannot be called '${taken.name}' while sections are closed`);
    return [...this.#disclosureTools.filter(({ name }) => this.#needed.has(name)), ...tools.map(asNativeTool)];
  }

  /** Offers one of them from now on. */
  need(name: string): void {
    this.#needed.add(name);
  }

  /** Whether tools are hidden for good: a policy refuses what would bring them into sight. */
  areUnreachable(offered: readonly { readonly name: string }[]): boolean {
    const names = new Set(offered.map(({ name }) => name));
    return [OPEN_SECTIONS, SEARCH_TOOLS].some((name) => this.#needed.has(name) && !names.has(name));
  }
}
