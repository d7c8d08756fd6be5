import type { JsonObject } from '../../call/tool-ref.ts';

/** What a model is told of a tool. */
export interface DefinedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A definition as it costs a model: what providers send, in whatever form. */
export function definitionText({ name, description, inputSchema }: DefinedTool): string {
  return JSON.stringify({ name, description, input_schema: inputSchema });
}
