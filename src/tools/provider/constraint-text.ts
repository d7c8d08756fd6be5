import type { JsonObject } from '../../call/tool-ref.ts';

/** Says what was lost at the place in question. */
export type Note = (loss: string) => void;

const MAX_VALUE = 200;
const MAX_TEXT = 600;

/** What a schema can no longer say by keywords, said in its description. */
export function withConstraints(schema: JsonObject, constraints: JsonObject): JsonObject {
  const { additionalProperties, ...others } = constraints;
  if (additionalProperties === false) return withRemark(withConstraints(schema, others), 'Takes no other properties.');
  const parts = Object.entries(constraints).map(([keyword, value]) => `${keyword}: ${shortJson(value)}`);
  return parts.length === 0 ? schema : withRemark(schema, cut(`Must meet {${parts.join(', ')}}.`, MAX_TEXT));
}

/** A schema with a sentence added to its description. */
export function withRemark(schema: JsonObject, remark: string): JsonObject {
  const { description } = schema;
  return {
    ...schema,
    description: typeof description === 'string' && description !== '' ? `${description} ${remark}` : remark,
  };
}

function shortJson(value: unknown): string {
  return cut(JSON.stringify(value), MAX_VALUE);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
