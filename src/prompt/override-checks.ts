import type { Logger } from '../logger.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import { PromptValidationError } from './prompt-errors.ts';
import { fitOverride } from './prompt-overrides.ts';
import type { PromptOverride } from './prompt-overrides.ts';

/** What of a stored override still fits; the rest is left out and logged. */
export function loadOverride(descriptor: PromptDescriptor, stored: PromptOverride, logger: Logger): PromptOverride {
  const { fitting, misfits } = fitOverride(descriptor, stored);
  const { ns, key } = descriptor;
  for (const misfit of misfits) logger.log('debug', DROPPED, { event: DROPPED, context: { ns, key, ...misfit } });
  return fitting;
}

/** An override that fits in all its parts; throws for one that does not. */
export function acceptOverride(descriptor: PromptDescriptor, override: Partial<PromptOverride>): PromptOverride {
  const { fitting, misfits } = fitOverride(descriptor, override);
  if (misfits.length === 0) return fitting;
  const problems = misfits.map(({ kind, name, reason }) => `${kind} '${name}': ${reason}`);
  throw new PromptValidationError(
    `the override does not fit ${descriptor.ns}/${descriptor.key}: ${problems.join('; ')}`,
  );
}

const DROPPED = 'prompt.overrides.dropped';
