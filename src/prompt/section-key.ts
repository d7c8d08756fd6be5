import { PromptValidationError } from './prompt-errors.ts';

/** What keys of sections and prompts must look like. */
export const KEY_PATTERN: RegExp = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A key as it is used: without space around it and in small letters. */
export function normalKey(key: string, whose: string): string {
  const normal = key.trim().toLowerCase();
  if (KEY_PATTERN.test(normal)) return normal;
  throw new PromptValidationError(`${whose} '${key}' is no key. Must match pattern: ${KEY_PATTERN.source}`);
}
