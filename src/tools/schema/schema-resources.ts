import { isJsonObject } from '../../call/json-object.ts';
import { META_SCHEMAS } from './meta-schemas.ts';
import { isSchema, subschemasOf } from './subschema-places.ts';
import type { Schema } from './subschema-places.ts';

type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema with an address of its own, and the names inside it. */
export interface Resource {
  readonly base: string;
  readonly root: Schema;
  readonly anchors: Map<string, SchemaObject>;
  readonly dynamicAnchors: Map<string, SchemaObject>;
}

/** A schema and the resource that its relative addresses start from. */
export interface Located {
  readonly schema: Schema;
  readonly resource: Resource;
}

/** Why a reference leads nowhere; makes the whole schema unusable. */
export class UnresolvedReference extends Error {}

// Only a start for relative addresses; nothing is ever read from it.
const NO_ADDRESS = 'schema:///';

/** The addresses inside one schema document. Nothing outside of it is ever fetched. */
export class SchemaResources {
  readonly root: Resource;
  readonly #byAddress = new Map<string, Resource>();
  readonly #homes = new Map<object, Resource>();

  constructor(schema: Schema) {
    this.root = this.#add(schema, NO_ADDRESS);
  }

  /** Where a reference leads that stands in a resource. */
  resolve(reference: string, from: Resource): Located {
    const { address, fragment } = splitReference(reference, from.base);
    const resource = this.#byAddress.get(address) ?? this.#bundled(address);
    if (resource === undefined) {
      throw new UnresolvedReference(`$ref ${quote(reference)} leads out of the schema, and nothing is fetched`);
    }
    if (fragment === '') return { schema: resource.root, resource };
    const found = fragment.startsWith('/') ? this.#at(fragment, resource) : this.#named(fragment, resource);
    if (found === undefined) throw new UnresolvedReference(`$ref ${quote(reference)} points at nothing`);
    return found;
  }

  /** The resource that a schema found inside another one belongs to. */
  homeOf(schema: Schema, surrounding: Resource): Resource {
    return (isJsonObject(schema) ? this.#homes.get(schema) : undefined) ?? surrounding;
  }

  /** Every place that a dynamic reference of this name could lead to. */
  dynamicTargets(name: string): readonly Located[] {
    return [...this.#byAddress.values()].flatMap((resource) => {
      const schema = resource.dynamicAnchors.get(name);
      return schema === undefined ? [] : [{ schema, resource }];
    });
  }

  #bundled(address: string): Resource | undefined {
    const schema = META_SCHEMAS.get(address);
    return schema === undefined ? undefined : this.#add(schema, address);
  }

  #add(root: Schema, base: string): Resource {
    const own = isJsonObject(root) ? idOf(root) : undefined;
    const resource: Resource = {
      base: own === undefined ? base : splitReference(own, base).address,
      root,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    // The first of two equal addresses keeps it.
    if (!this.#byAddress.has(resource.base)) this.#byAddress.set(resource.base, resource);
    if (!this.#byAddress.has(base)) this.#byAddress.set(base, resource);
    if (isJsonObject(root)) this.#index(root, resource);
    return resource;
  }

  #index(schema: SchemaObject, resource: Resource): void {
    this.#homes.set(schema, resource);
    const { $anchor: anchor, $dynamicAnchor: dynamicAnchor } = schema;
    if (typeof anchor === 'string') resource.anchors.set(anchor, schema);
    if (typeof dynamicAnchor === 'string') resource.dynamicAnchors.set(dynamicAnchor, schema);
    for (const child of subschemasOf(schema)) {
      if (!isJsonObject(child) || this.#homes.has(child)) continue;
      if (idOf(child) === undefined) this.#index(child, resource);
      else this.#add(child, resource.base);
    }
  }

  #named(name: string, resource: Resource): Located | undefined {
    const schema = resource.anchors.get(name) ?? resource.dynamicAnchors.get(name);
    return schema === undefined ? undefined : { schema, resource };
  }

  #at(pointer: string, start: Resource): Located | undefined {
    let current: unknown = start.root;
    let resource = start;
    for (const part of pointer.slice(1).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
      current = (current as SchemaObject)[key];
      if (isSchema(current)) resource = this.homeOf(current, resource);
    }
    if (!isSchema(current)) return undefined;
    // A schema under a keyword that nobody knows is one only because it is referred to.
    if (isJsonObject(current) && !this.#homes.has(current)) this.#index(current, resource);
    return { schema: current, resource };
  }
}

/** The address that a schema gives itself; a mere `#name` of the older drafts is none. */
function idOf(schema: SchemaObject): string | undefined {
  const id = schema['$id'];
  return typeof id === 'string' && id !== '' && !id.startsWith('#') ? id : undefined;
}

/** The absolute address of what a reference names, and the place inside it. */
export function splitReference(reference: string, base: string): { address: string; fragment: string } {
  const cut = reference.indexOf('#');
  const path = cut === -1 ? reference : reference.slice(0, cut);
  const address = path === '' ? base : absolute(path, base);
  return { address, fragment: cut === -1 ? '' : decoded(reference.slice(cut + 1)) };
}

function absolute(path: string, base: string): string {
  try {
    return new URL(path, base).href;
  } catch {
    return path;
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function quote(reference: string): string {
  return JSON.stringify(reference.slice(0, 200));
}
