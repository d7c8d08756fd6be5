import type { JsonObject } from '../../call/tool-ref.ts';
import { findReference } from './schema-reference.ts';

// For all of a document together; whoever refers to and fro more often than this is not worth the time.
const MAX_STEPS = 20_000;

/** Finds out which references of a document lead back to where they stand. */
export class ReferenceCycles {
  readonly #root: JsonObject;
  #steps = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Whether references alone, without an object or array between them, lead to `alias`: its type would be an error. */
  leadTo(alias: object, from: unknown): boolean {
    const seen = new Set<unknown>();
    const waiting: unknown[] = [from];
    while (waiting.length > 0) {
      const schema = waiting.pop();
      this.#steps += 1;
      if (schema === alias || this.#steps > MAX_STEPS) return true;
      if (typeof schema !== 'object' || schema === null || seen.has(schema)) continue;
      seen.add(schema);
      for (const part of this.#partsBeside(schema as JsonObject)) waiting.push(part);
    }
    return false;
  }

  #partsBeside(schema: JsonObject): readonly unknown[] {
    const choices = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((choice: unknown) =>
      Array.isArray(choice) ? (choice as readonly unknown[]) : [],
    );
    const target = '$ref' in schema ? findReference(this.#root, schema['$ref']) : undefined;
    return target ? [...choices, target.schema] : choices;
  }
}
