import { z } from 'zod';

/** What a file says about one section of a prompt. */
export interface SectionEntry {
  readonly title: string;
  /** The section's text; `$name` stands for a parameter. */
  readonly template?: string;
  readonly description?: string;
  /** What stands in the section's place while it is closed. */
  readonly summary?: string;
  readonly visibility?: 'full' | 'summary';
  readonly servers?: readonly string[];
  readonly policies?: readonly string[];
}

/** What a file says about one way of working: which sections an agent gets, and how it comes to see their tools. */
export interface ProfileEntry {
  readonly description?: string;
  readonly sections?: readonly string[];
  readonly servers?: readonly string[];
  readonly disclosure?: Disclosure;
  readonly policies?: readonly string[];
}

/** How tools come into sight: all at once, by opening sections, by searching, or whichever suits their number. */
export type Disclosure = 'auto' | 'eager' | 'sections' | 'search';

const names = z.array(z.string().min(1));

const sectionShape = {
  title: z.string().min(1),
  template: z.string().exactOptional().describe("The section's text; $name stands for a parameter."),
  description: z.string().exactOptional(),
  summary: z.string().exactOptional().describe("What stands in the section's place while it is closed."),
  visibility: z.enum(['full', 'summary']).exactOptional(),
  servers: names.exactOptional().describe('Names from `servers`.'),
  policies: names.exactOptional().describe('Names from `policies`.'),
};

const profileShape = {
  description: z.string().exactOptional(),
  sections: names.exactOptional().describe('Names from `sections`.'),
  servers: names.exactOptional().describe('Names from `servers`, without a section.'),
  disclosure: z.enum(['auto', 'eager', 'sections', 'search']).exactOptional(),
  policies: names.exactOptional().describe('Names from `policies`.'),
};

export const sectionEntrySchema: z.ZodType<SectionEntry> = z.strictObject(sectionShape);

export const profileEntrySchema: z.ZodType<ProfileEntry> = z.strictObject(profileShape);

export const SECTION_KEYS: readonly string[] = Object.keys(sectionShape);

export const PROFILE_KEYS: readonly string[] = Object.keys(profileShape);
