import type { SchemaLimits } from './schema-limits.ts';

/** Why a schema is more than we take on, or nothing; what it costs is bounded by the limits themselves. */
export function reasonTooLarge(schema: unknown, limits: SchemaLimits): string | undefined {
  const size = { characters: 0, nodes: 0, references: 0 };
  const stack: { value: unknown; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    size.nodes += 1;
    size.characters += typeof value === 'string' ? value.length + 2 : 4;
    if (depth > limits.maxDepth) return `it nests deeper than ${limits.maxDepth} levels`;
    const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    for (const [key, child] of children) {
      size.characters += key.length;
      if (key === '$ref' || key === '$dynamicRef') size.references += 1;
      stack.push({ value: child, depth: depth + 1 });
    }
    const excess = excessOf(size, limits, stack.length);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

interface Size {
  readonly characters: number;
  readonly nodes: number;
  readonly references: number;
}

function excessOf(size: Size, limits: SchemaLimits, waiting: number): string | undefined {
  if (size.nodes + waiting > limits.maxNodes) return `it has more than ${limits.maxNodes} parts`;
  if (size.characters > limits.maxCharacters) return `it is longer than ${limits.maxCharacters} characters`;
  if (size.references > limits.maxReferences) return `it has more than ${limits.maxReferences} references`;
  return undefined;
}
