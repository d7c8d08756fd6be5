import type { JsonObject } from '../call/tool-ref.ts';
import { McpError, messageOf } from '../errors.ts';

/** A schema library's schema, by the interfaces that zod, valibot and arktype share. */
export interface StandardParams<Value = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Value> | Promise<StandardResult<Value>>;
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => object };
  };
}

type StandardResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a native tool takes: a JSON Schema, or a schema of a library. */
export type ParamsSchema = JsonObject | StandardParams;

/** The type of a tool's parameters, as far as its schema tells. */
export type ParamsValue<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : JsonObject
  : JsonObject;

export interface Params {
  readonly jsonSchema: JsonObject;
  /** What the handler gets of arguments that the JSON Schema accepts. */
  parse(args: JsonObject): unknown;
}

/** Reads either kind of schema. */
export function paramsOf(schema: ParamsSchema, tool: string): Params {
  if (!isStandard(schema)) return { jsonSchema: schema, parse: (args) => args };
  const standard = schema['~standard'];
  const describe = standard.jsonSchema;
  if (!describe) {
    throw new McpError(
      'TOOL_INVALID',
      `the params of ${tool} are a ${standard.vendor} schema that cannot say itself as JSON Schema; give a newer version of ${standard.vendor}, or a JSON Schema`,
    );
  }
  return {
    jsonSchema: describe.input({ target: 'draft-2020-12' }) as JsonObject,
    parse: async (args) => {
      const result = await standard.validate(args);
      if (result.issues === undefined) return result.value;
      throw new McpError('ARGUMENTS_INVALID', result.issues.map(describeIssue).join('; '));
    },
  };
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  const at = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
  return at === '' ? message : `${at}: ${messageOf(message)}`;
}

function isStandard(schema: ParamsSchema): schema is StandardParams {
  return '~standard' in schema && typeof schema['~standard'] === 'object';
}
