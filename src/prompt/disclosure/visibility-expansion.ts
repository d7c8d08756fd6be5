import { McpError } from '../../errors.ts';
import type { SectionVisibility } from '../visibility.ts';

/** The model wants sections opened, and the run has to begin anew with them. */
export class VisibilityExpansionRequired extends McpError {
  readonly requestedOverrides: ReadonlyMap<string, SectionVisibility>;
  readonly reason: string;
  readonly sectionKeys: readonly string[];

  constructor(sectionKeys: readonly string[], reason: string) {
    super('EXPANSION_REQUIRED', `sections are to be opened: ${sectionKeys.join(', ')}; render again with them open`);
    this.sectionKeys = sectionKeys;
    this.reason = reason;
    this.requestedOverrides = new Map(sectionKeys.map((path) => [path, 'full']));
  }
}
