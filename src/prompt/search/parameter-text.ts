import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';

/** What a tool's parameters are called and what is said about them. */
export interface ParameterText {
  readonly names: string;
  readonly descriptions: string;
}

const BRANCHES = ['anyOf', 'oneOf', 'allOf'] as const;
const MAX_DEPTH = 8;
const MAX_PARAMETERS = 500;

/** Reads the parameters of an input schema, those inside objects, lists and alternatives too. */
export function parameterText(inputSchema: JsonObject): ParameterText {
  const names: string[] = [];
  const descriptions: string[] = [];
  collect(inputSchema, 0);
  return { names: names.join('\n'), descriptions: descriptions.join('\n') };

  function collect(schema: unknown, depth: number): void {
    if (!isJsonObject(schema) || depth > MAX_DEPTH) return;
    const properties = schema['properties'];
    for (const name of isJsonObject(properties) ? Object.keys(properties) : []) {
      if (names.length >= MAX_PARAMETERS) return;
      const property = (properties as JsonObject)[name];
      names.push(name);
      if (!isJsonObject(property)) continue;
      if (typeof property['description'] === 'string') descriptions.push(property['description']);
      collect(property, depth + 1);
    }
    collect(schema['items'], depth + 1);
    for (const keyword of BRANCHES) {
      const branches = schema[keyword];
      if (Array.isArray(branches)) for (const branch of branches) collect(branch, depth + 1);
    }
  }
}
