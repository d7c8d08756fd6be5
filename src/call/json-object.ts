import type { JsonObject } from './tool-ref.ts';

/** Whether JSON would call a value an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
