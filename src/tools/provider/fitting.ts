import type { JsonObject } from '../../call/tool-ref.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import type { SchemaCheck } from '../schema/schema-check.ts';

/** Tells which of some schemas of one view a value fits; they are compiled together, when it is first asked. */
export function fitting(
  schemas: readonly JsonObject[],
  definitions: () => JsonObject,
): (index: number, value: unknown) => boolean {
  let check: SchemaCheck | undefined;
  return (index, value) => {
    check ??= compileSchema({ properties: Object.fromEntries(schemas.entries()), $defs: definitions() });
    return check.kind === 'usable' && check.check({ [index]: value }).valid;
  };
}
