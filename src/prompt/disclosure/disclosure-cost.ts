import { definitionText } from './definition-text.ts';
import { disclosureTools } from './disclosure-tools.ts';
import type { SectionDesk } from './disclosure-tools.ts';

/** The definitions of the tools that open, read and search, as a model gets them. */
export function disclosureDefinitions(): readonly string[] {
  return disclosureTools(NOBODY).map(definitionText);
}

const NOBODY: SectionDesk = {
  open: () => Promise.resolve(''),
  read: () => Promise.resolve(''),
  search: () => Promise.resolve(''),
};
