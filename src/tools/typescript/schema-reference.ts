import type { JsonObject } from '../../call/tool-ref.ts';

/** Where a reference leads, and the words of its path that mean something to a reader. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly words: readonly string[];
}

// Words of the schema language, after which the next step is a name or a place in a list.
const KEYWORDS: ReadonlySet<string> = new Set([
  '$defs',
  'additionalProperties',
  'allOf',
  'anyOf',
  'definitions',
  'items',
  'oneOf',
  'patternProperties',
  'prefixItems',
  'properties',
]);

/** Follows a reference within its own document; other documents are never opened. */
export function findReference(root: JsonObject, reference: unknown): ReferenceTarget | undefined {
  const steps = typeof reference === 'string' ? stepsOf(reference) : undefined;
  if (!steps) return undefined;
  let schema: unknown = root;
  for (const step of steps) {
    if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, step)) return undefined;
    schema = (schema as JsonObject)[step];
  }
  return { schema, words: steps.filter((step) => !KEYWORDS.has(step) && !/^\d+$/.test(step)) };
}

function stepsOf(reference: string): readonly string[] | undefined {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(2))
      .split('/')
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}
