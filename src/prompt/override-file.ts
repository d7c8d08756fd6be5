import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { PromptValidationError } from './prompt-errors.ts';
import type { PromptOverride } from './prompt-overrides.ts';

const override = z.strictObject({
  version: z.literal(1),
  ns: z.string(),
  key: z.string(),
  tag: z.string(),
  sections: z.record(z.string(), z.strictObject({ expectedHash: z.string(), body: z.string() })),
  tools: z.record(
    z.string(),
    z.strictObject({
      expectedHash: z.string(),
      description: z.string().exactOptional(),
      paramDescriptions: z.record(z.string(), z.string()).exactOptional(),
    }),
  ),
});

/** Reads a stored override; a file that cannot be read as one is its owner's to mend, never silently left out. */
export function parseOverrideFile(text: string, path: string): PromptOverride {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PromptValidationError(`${path} is no JSON: ${messageOf(cause)}; mend or delete it`, { cause });
  }
  const parsed = override.safeParse(value);
  if (parsed.success) return { sections: parsed.data.sections, tools: parsed.data.tools };
  throw new PromptValidationError(`${path} is no prompt override: ${z.prettifyError(parsed.error)}; mend or delete it`);
}
