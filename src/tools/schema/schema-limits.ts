/** How much a schema may ask of us; all of it comes from a server. */
export interface SchemaLimits {
  /** Characters of the schema as JSON. */
  readonly maxCharacters: number;
  /** Objects, lists and plain values in the schema. */
  readonly maxNodes: number;
  readonly maxDepth: number;
  readonly maxReferences: number;
  /** Subschemas applied while one value is judged. */
  readonly maxSteps: number;
  /** Subschemas applied inside each other while one value is judged. */
  readonly maxNesting: number;
  /** Compiled schemas kept for others with the same content. */
  readonly maxKept: number;
}

export const DEFAULT_SCHEMA_LIMITS: SchemaLimits = {
  maxCharacters: 2_000_000,
  maxNodes: 200_000,
  maxDepth: 120,
  maxReferences: 10_000,
  maxSteps: 1_000_000,
  maxNesting: 800,
  maxKept: 2000,
};
