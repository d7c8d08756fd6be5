import type { JsonObject } from '../../call/tool-ref.ts';
import type { PrintSchema } from './object-type.ts';
import { arrayOf, operandText, plainType, typeText, UNKNOWN } from './type-text.ts';
import type { TypeText } from './type-text.ts';

// A longer tuple is a list.
const MAX_PLACES = 50;

/** A list of one type, or a tuple where the schema speaks of places. */
export function arrayType(schema: JsonObject, print: PrintSchema): TypeText {
  const { prefixItems, items, additionalItems } = schema as {
    readonly prefixItems?: unknown;
    readonly items?: unknown;
    readonly additionalItems?: unknown;
  };
  if (Array.isArray(prefixItems)) return tupleType(schema, { places: prefixItems, rest: items, print });
  // Drafts before 2020-12 have the places in `items`.
  if (Array.isArray(items)) return tupleType(schema, { places: items, rest: additionalItems, print });
  return arrayOf(items === undefined ? UNKNOWN : print(items));
}

/** Whether a schema without a type speaks of arrays. */
export function impliesArray(schema: JsonObject): boolean {
  return 'items' in schema || 'prefixItems' in schema;
}

interface Places {
  readonly places: readonly unknown[];
  /** What may follow the last place. */
  readonly rest: unknown;
  readonly print: PrintSchema;
}

/** Places beyond `minItems` may be left out, as the schema has it. */
function tupleType(schema: JsonObject, { places, rest, print }: Places): TypeText {
  if (places.length > MAX_PLACES) return arrayOf(UNKNOWN);
  const { minItems, maxItems } = schema as { readonly minItems?: unknown; readonly maxItems?: unknown };
  const least = typeof minItems === 'number' ? minItems : 0;
  const texts = places.map((place, index) =>
    index < least ? typeText(print(place)).trimStart() : `${operandText(print(place))}?`,
  );
  const isClosed = rest === false || (typeof maxItems === 'number' && maxItems <= places.length);
  if (!isClosed) texts.push(`...${operandText(arrayOf(rest === undefined ? UNKNOWN : print(rest)))}`);
  return plainType(`[${texts.join(', ')}]`);
}
