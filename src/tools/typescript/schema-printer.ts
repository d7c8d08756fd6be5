import type { JsonObject } from '../../call/tool-ref.ts';
import { arrayType, impliesArray } from './array-type.ts';
import { schemaComment } from './doc-comment.ts';
import { enumType, literalType } from './literal-type.ts';
import { impliesObject, objectType } from './object-type.ts';
import { ReferenceCycles } from './reference-cycle.ts';
import { findReference } from './schema-reference.ts';
import type { TypeNames } from './type-names.ts';
import { pascalCase } from './type-names.ts';
import { intersectionOf, NEVER, plainType, typeText, unionOf, UNKNOWN } from './type-text.ts';
import type { TypeText } from './type-text.ts';

export interface PrintOptions {
  /** The name of the declaration that stands for the whole schema; it is taken already. */
  readonly name: string;
  readonly names: TypeNames;
  /** Instead of the schema's own description. */
  readonly comment?: string;
}

// Deeper or bigger than any real schema; what lies beyond is printed as unknown.
const MAX_DEPTH = 24;
const MAX_NODES = 5000;

/** Prints a JSON Schema as TypeScript declarations: one for the schema, one for each part that it refers to. */
export function printSchema(schema: JsonObject, options: PrintOptions): readonly string[] {
  return new SchemaPrinter(schema, options).declarations();
}

/** Where in a declaration a type stands. */
interface Place {
  readonly depth: number;
  /** The schema whose declaration names itself if it is named here; inside an object or an array that is allowed. */
  readonly alias?: object;
}

class SchemaPrinter {
  readonly #root: JsonObject;
  readonly #options: PrintOptions;
  readonly #named: Map<object, string>;
  readonly #cycles: ReferenceCycles;
  #nodes = 0;

  constructor(root: JsonObject, options: PrintOptions) {
    this.#root = root;
    this.#options = options;
    this.#cycles = new ReferenceCycles(root);
    this.#named = new Map([[root, options.name]]);
  }

  declarations(): readonly string[] {
    const { comment } = this.#options;
    const printed: string[] = [];
    // What is met on the way is named first and printed later; a map's iterator sees what was added.
    for (const [schema, name] of this.#named) {
      const about = schema === this.#root && comment !== undefined ? comment : schemaComment(schema);
      printed.push(about + declaration(name, this.#print(schema, { depth: 0, alias: schema })));
    }
    return printed;
  }

  #print(schema: unknown, place: Place): TypeText {
    if (schema === false) return NEVER;
    if (!isSchema(schema)) return UNKNOWN;
    this.#nodes += 1;
    if (place.depth > MAX_DEPTH || this.#nodes > MAX_NODES) return UNKNOWN;
    const beside = { ...place, depth: place.depth + 1 };
    const printAll = (schemas: readonly unknown[]): readonly TypeText[] =>
      schemas.map((part) => this.#print(part, beside));
    const oneOf = (choice: unknown): TypeText => (Array.isArray(choice) ? unionOf(printAll(choice)) : UNKNOWN);
    const { allOf } = schema as { readonly allOf?: unknown };
    const type = intersectionOf([
      this.#ownType(schema, { depth: beside.depth }),
      '$ref' in schema ? this.#reference(schema['$ref'], place) : UNKNOWN,
      oneOf(schema['anyOf']),
      oneOf(schema['oneOf']),
      ...(Array.isArray(allOf) ? printAll(allOf) : []),
    ]);
    return schema['nullable'] === true ? unionOf([type, plainType('null')]) : type;
  }

  /** What a schema says without the help of others. */
  #ownType(schema: JsonObject, inside: Place): TypeText {
    if ('const' in schema) return literalType(schema['const']);
    if (Array.isArray(schema['enum'])) return enumType(schema['enum']);
    if (refusesAll(schema['not'])) return NEVER;
    const print = (part: unknown): TypeText => this.#print(part, inside);
    const { type } = schema as { readonly type?: unknown };
    if (type !== undefined) return unionOf([...new Set([type].flat())].map((each) => typeOf(each, schema, print)));
    if (impliesObject(schema)) return objectType(schema, print);
    return impliesArray(schema) ? arrayType(schema, print) : UNKNOWN;
  }

  #reference(reference: unknown, { alias }: Place): TypeText {
    const target = findReference(this.#root, reference);
    if (target?.schema === false) return NEVER;
    if (!isSchema(target?.schema)) return UNKNOWN;
    if (alias && this.#cycles.leadTo(alias, target.schema)) return UNKNOWN;
    return plainType(this.#nameOf(target.schema, target.words));
  }

  #nameOf(schema: JsonObject, words: readonly string[]): string {
    const known = this.#named.get(schema);
    if (known !== undefined) return known;
    const { name, names } = this.#options;
    const taken = names.take(pascalCase([name, ...(words.length === 0 ? ['part'] : words)]));
    this.#named.set(schema, taken);
    return taken;
  }
}

function typeOf(type: unknown, schema: JsonObject, print: (part: unknown) => TypeText): TypeText {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return plainType(type);
    case 'integer':
      return plainType('number');
    case 'array':
      return arrayType(schema, print);
    case 'object':
      return objectType(schema, print);
    default:
      return UNKNOWN;
  }
}

function declaration(name: string, type: TypeText): string {
  const text = typeText(type);
  if (type.form === 'object') return `export interface ${name} ${text}`;
  return text.startsWith('\n')
    ? `export type ${name} =${text.replaceAll('\n', '\n  ')};`
    : `export type ${name} = ${text};`;
}

function refusesAll(not: unknown): boolean {
  return not === true || (isSchema(not) && Object.keys(not).length === 0);
}

function isSchema(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
