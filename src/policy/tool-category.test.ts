import { expect, test } from 'vitest';
import type { ToolAnnotations } from '../call/tool-ref.ts';
import { toolCategory } from './tool-category.ts';
import type { ToolCategory } from './tool-category.ts';

test.each<[ToolAnnotations | undefined, ToolCategory]>([
  [undefined, 'unannotated'],
  [{}, 'unannotated'],
  [{ title: 'Read' }, 'unannotated'],
  [{ readOnlyHint: true }, 'readOnly'],
  [{ readOnlyHint: true, openWorldHint: true }, 'readOnly'],
  [{ readOnlyHint: false }, 'maybeDestructive'],
  [{ idempotentHint: true }, 'maybeDestructive'],
  [{ openWorldHint: false }, 'maybeDestructive'],
  [{ destructiveHint: true, openWorldHint: false }, 'destructive'],
  [{ destructiveHint: false }, 'openWorld'],
  [{ destructiveHint: false, openWorldHint: true }, 'openWorld'],
  [{ destructiveHint: false, openWorldHint: false }, 'contained'],
])('%j is %s', (hints, category) => {
  expect(toolCategory(hints)).toBe(category);
});
