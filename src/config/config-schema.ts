import { z } from 'zod';
import { policyEntrySchema } from './policy-entry.ts';
import type { PolicyEntry } from './policy-entry.ts';
import { profileEntrySchema, sectionEntrySchema } from './section-entry.ts';
import type { ProfileEntry, SectionEntry } from './section-entry.ts';
import { serverEntrySchema } from './server-entry.ts';
import type { ServerEntry } from './server-entry.ts';
import { SERVER_NAME_PATTERN } from './server-name.ts';

/** The whole of a `fairlead.yaml`. */
export interface ConfigFile {
  readonly $schema?: string;
  readonly version: 1;
  readonly servers?: Readonly<Record<string, ServerEntry>>;
  readonly policies?: Readonly<Record<string, PolicyEntry>>;
  readonly sections?: Readonly<Record<string, SectionEntry>>;
  readonly profiles?: Readonly<Record<string, ProfileEntry>>;
}

/** A file whose entries are not looked at yet. */
export interface ConfigOutline {
  readonly $schema?: string;
  readonly version: 1;
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly policies?: Readonly<Record<string, unknown>>;
  readonly sections?: Readonly<Record<string, unknown>>;
  readonly profiles?: Readonly<Record<string, unknown>>;
}

/** A file that is no map at all is told what it should begin with; everything else has a message of its own. */
const outlineError = ({ code }: { readonly code?: string | undefined }): string | undefined =>
  code === 'invalid_type' ? 'a map that begins with `version: 1`' : undefined;

const name = z.string().min(1);
const entries = z.record(z.string(), z.unknown()).exactOptional();

const outlineShape = {
  $schema: z.string().exactOptional(),
  version: z.literal(1, { error: 'the number 1, as in `version: 1`' }).describe('The version of this format.'),
  servers: entries,
  policies: entries,
  sections: entries,
  profiles: entries,
};

/** A file as its readers and the published JSON Schema know it. */
export const configFileSchema: z.ZodType<ConfigFile> = z.strictObject({
  ...outlineShape,
  servers: z.record(name.regex(SERVER_NAME_PATTERN), serverEntrySchema).exactOptional(),
  policies: z.record(name, policyEntrySchema).exactOptional(),
  sections: z.record(name, sectionEntrySchema).exactOptional(),
  profiles: z.record(name, profileEntrySchema).exactOptional(),
});

/** A file's outline; its entries are checked one by one, so that one mistake does not hide another. */
export const configOutlineSchema: z.ZodType<ConfigOutline> = z.strictObject(outlineShape, { error: outlineError });

export const CONFIG_KEYS: readonly string[] = Object.keys(outlineShape);
