/** Where in a value something is wrong: property names and list positions from the root. */
export type ValuePath = readonly (string | number)[];

/** One thing that is wrong with a value. */
export interface SchemaProblem {
  readonly path: ValuePath;
  /** The keyword of the schema that is not met. */
  readonly keyword: string;
  /** What came and what was expected, short enough to show. */
  readonly message: string;
}

/** What a schema says about a value. */
export type SchemaVerdict =
  | { readonly valid: true }
  | { readonly valid: false; readonly problems: readonly SchemaProblem[]; readonly more: number };

/** A schema ready to judge values, or the reason why it cannot judge any. */
export type SchemaCheck =
  | {
      readonly kind: 'usable';
      check(value: unknown): SchemaVerdict;
      /** What of the schema is not enforced, one line each. */
      readonly report: readonly string[];
    }
  | { readonly kind: 'unusable'; readonly reason: string };
