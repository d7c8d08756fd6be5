import { isJsonObject } from '../../call/json-object.ts';
import type { Run } from './evaluation.ts';
import { isPresent, presentKeys, primitiveKey } from './json-value.ts';

/** Whether two values are equal as JSON; ends at the first difference, because either may be as large as a server likes. */
export function isEqualJson(wanted: unknown, found: unknown, run: Run): boolean {
  run.glance(1);
  const key = primitiveKey(wanted);
  if (key !== undefined) return Object.is(key, primitiveKey(found));
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length) return false;
    return wanted.every((item, index) => isEqualJson(item, found[index], run));
  }
  if (!isJsonObject(wanted) || !isJsonObject(found)) return false;
  const names = presentKeys(wanted);
  for (const name of names) {
    if (!isPresent(found, name) || !isEqualJson(wanted[name], found[name], run)) return false;
  }
  const count = presentKeys(found).length;
  run.glance(count);
  return count === names.length;
}
