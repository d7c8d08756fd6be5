import { isJsonObject } from '../../call/json-object.ts';
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../call/tool-ref.ts';
import { canonicalJson } from '../../call/canonical-json.ts';
import type { ToolDefinition } from '../tool-definition.ts';
import { compileSchema } from './compile-schema.ts';
import { describeFound } from './describe-value.ts';
import { reasonTooLarge } from './measure-schema.ts';
import type { SchemaCheck, SchemaVerdict } from './schema-check.ts';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.ts';
import type { SchemaLimits } from './schema-limits.ts';

/** The schemas of tools, compiled when first needed and kept by their content. */
export interface ToolSchemas {
  /** The check of a tool's arguments. */
  input(spec: Pick<ToolDefinition, 'inputSchema'>): SchemaCheck;
  /** The check of a tool's structured results, if it promises any. */
  output(spec: Pick<ToolDefinition, 'outputSchema'>): SchemaCheck | undefined;
  /** Arguments against a tool's schema; any object fits a schema that cannot be used. */
  validateArguments(spec: Pick<ToolDefinition, 'inputSchema'>, args: unknown): SchemaVerdict;
  /** A structured result against what the tool promised; anything fits a schema that cannot be used. */
  validateOutput(spec: Pick<ToolDefinition, 'outputSchema'>, content: unknown): SchemaVerdict;
  /** What of a tool's schemas is not enforced, one line each: the rest of its schemaReport. */
  report(spec: Pick<ToolDefinition, 'inputSchema' | 'outputSchema'>): readonly string[];
}

const VALID: SchemaVerdict = { valid: true };

/** Makes the place where a hub keeps its compiled schemas. */
export function createToolSchemas(limits: Partial<SchemaLimits> = {}): ToolSchemas {
  const checks = new CheckCache({ ...DEFAULT_SCHEMA_LIMITS, ...limits });
  const input: ToolSchemas['input'] = ({ inputSchema }) => checks.get(inputSchema);
  const output: ToolSchemas['output'] = ({ outputSchema }) => outputSchema && checks.get(outputSchema);
  return {
    input,
    output,
    validateArguments(spec, args) {
      const check = input(spec);
      return check.kind === 'usable' ? check.check(args) : anyObject(args);
    },
    validateOutput(spec, content) {
      const check = output(spec);
      return check?.kind === 'usable' ? check.check(content) : VALID;
    },
    report: (spec) => [
      ...linesOf('inputSchema', input(spec), 'any object is accepted instead'),
      ...linesOf('outputSchema', output(spec), 'results are not checked'),
    ],
  };
}

function anyObject(args: unknown): SchemaVerdict {
  if (isJsonObject(args)) return VALID;
  const message = `expected an object, got ${describeFound(args)}`;
  return { valid: false, problems: [{ path: [], keyword: 'type', message }], more: 0 };
}

function linesOf(name: string, check: SchemaCheck | undefined, instead: string): readonly string[] {
  if (check === undefined) return [];
  if (check.kind === 'unusable') return [`${name} cannot be used: ${check.reason}; ${instead}`];
  return check.report.map((line) => `${name}: ${line}`);
}

/** By the schema object first, which is all that a call needs, then by what it says. */
class CheckCache {
  readonly #limits: SchemaLimits;
  readonly #byObject = new WeakMap<JsonObject, SchemaCheck>();
  readonly #byContent = new Map<string, SchemaCheck>();

  constructor(limits: SchemaLimits) {
    this.#limits = limits;
  }

  get(schema: JsonObject): SchemaCheck {
    const known = this.#byObject.get(schema);
    if (known !== undefined) return known;
    const check = this.#find(schema);
    this.#byObject.set(schema, check);
    return check;
  }

  #find(schema: JsonObject): SchemaCheck {
    // Before anything else walks it.
    const reason = reasonTooLarge(schema, this.#limits);
    if (reason !== undefined) return { kind: 'unusable', reason };
    const key = createHash('sha256').update(canonicalJson(schema)).digest('base64');
    const check = this.#byContent.get(key) ?? compileSchema(schema, this.#limits);
    // Last used, last dropped.
    this.#byContent.delete(key);
    this.#byContent.set(key, check);
    const [oldest] = this.#byContent.keys();
    if (this.#byContent.size > this.#limits.maxKept && oldest !== undefined) this.#byContent.delete(oldest);
    return check;
  }
}
