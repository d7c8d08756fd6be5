import type { JsonObject } from '../call/tool-ref.ts';

/** The form in which an agent is to give its answer. */
export interface StructuredOutput {
  /** What one answer, or one item of it, must look like. */
  readonly schema: JsonObject;
  /** `array` asks for a list of such items; `object` unless said. */
  readonly container?: 'object' | 'array';
  /** Whether keys that the schema does not name are let through; false unless said. */
  readonly allowExtraKeys?: boolean;
}
