import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import type { LossReport } from '../schema/loss-report.ts';
import { UnresolvedReference } from '../schema/schema-resources.ts';
import type { Located, Resource, SchemaResources } from '../schema/schema-resources.ts';
import { isSchema, SUBSCHEMA_PLACES } from '../schema/subschema-places.ts';
import type { Schema } from '../schema/subschema-places.ts';
import { withRemark } from './constraint-text.ts';
import { fitting } from './fitting.ts';
import { mergeBoth, namesOf } from './merge-objects.ts';
import { toPropertyName } from './property-name.ts';
import type { ProviderRules } from './provider-rules.ts';
import { restrictNode } from './restrict-node.ts';
import { notStrictBecause, requireAll } from './strict-node.ts';
import { choiceBack, inTurn, listBack, objectBack, unchanged } from './way-back.ts';
import type { PropertyBack, WayBack } from './way-back.ts';

/** A schema as the provider sees it, and the way back from what a model wrote for it. */
export interface View {
  readonly schema: JsonObject;
  readonly back: WayBack;
}

// What only names places, or says which dialect it is; definitions come along as far as they are used.
const NAMING = new Set([
  '$schema',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$comment',
  '$vocabulary',
  '$defs',
  'definitions',
]);
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const MAX_NODES = 10_000;
const MAX_QUESTIONS = 500;
const MAX_DEPTH = 100;

interface Place {
  readonly resource: Resource;
  readonly path: string;
  readonly depth: number;
}

/** What the keywords of one schema became, before the provider's rules are applied to it. */
interface Draft {
  readonly node: Record<string, unknown>;
  readonly ways: WayBack[];
  properties: ReadonlyMap<string, PropertyBack>;
}

/** Converts one tool's schema for one provider. */
export class ViewConverter {
  readonly #resources: SchemaResources;
  readonly #rules: ProviderRules;
  readonly #report: LossReport;
  readonly #definitions = new Map<string, View>();
  readonly #names = new Map<Schema, string>();
  readonly #open = new Set<Schema>();
  readonly #maybeNull: { readonly schema: JsonObject; readonly path: string }[] = [];
  #nodes = 0;
  #notStrict: string | undefined;

  constructor(resources: SchemaResources, rules: ProviderRules, report: LossReport) {
    this.#resources = resources;
    this.#rules = rules;
    this.#report = report;
  }

  /** The root with its subschemas converted, but not yet restricted itself: it has rules of its own. */
  convertRoot(): View {
    const { root } = this.#resources;
    if (typeof root.root === 'boolean') return { schema: { type: 'object' }, back: unchanged };
    const draft = this.#draft(root.root, { resource: root, path: '', depth: 0 });
    return { schema: draft.node, back: inTurn([...draft.ways, objectBack(draft.properties)]) };
  }

  /** Converts the root as any other schema. */
  convertWhole(): View {
    const { root } = this.#resources;
    return this.#convert(root.root, { resource: root, path: '', depth: 0 });
  }

  /** What references in the view lead to. */
  definitions(): JsonObject {
    return Object.fromEntries([...this.#definitions].map(([name, { schema }]) => [name, schema]));
  }

  /** Why strict mode would lose something; nothing if it would not. */
  whyNotStrict(): string | undefined {
    if (this.#notStrict !== undefined) return this.#notStrict;
    if (this.#maybeNull.length > MAX_QUESTIONS) return 'too many of its properties are optional';
    const fits = fitting(
      this.#maybeNull.map(({ schema }) => schema),
      () => this.definitions(),
    );
    const nullable = this.#maybeNull.find((_, index) => fits(index, null));
    return nullable && `${nullable.path} is optional and may be null, which would look the same`;
  }

  #convert(schema: unknown, place: Place): View {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || place.depth > MAX_DEPTH) {
      this.#note(place, 'is left out, because the whole would be too large');
      return { schema: {}, back: unchanged };
    }
    if (!isSchema(schema) || schema === true) return this.#strict({ schema: {}, back: unchanged }, new Map(), place);
    if (schema === false) return { schema: this.#never(place), back: unchanged };
    const home = { ...place, resource: this.#resources.homeOf(schema, place.resource) };
    const draft = this.#draft(schema, home);
    const restricted = restrictNode(draft.node, this.#rules, (loss) => this.#note(place, loss));
    return this.#strict({ schema: restricted, back: inTurn(draft.ways) }, draft.properties, place);
  }

  #never(place: Place): JsonObject {
    if (this.#rules.keywords?.has('not') ?? true) return { not: {} };
    this.#note(place, 'is never allowed, which only its description says');
    return { ...(this.#rules.isStrict && { type: 'null' }), description: 'Must not be given.' };
  }

  #draft(schema: JsonObject, place: Place): Draft {
    const draft: Draft = { node: {}, ways: [], properties: new Map() };
    for (const [keyword, value] of Object.entries(schema)) {
      if (NAMING.has(keyword) || REFERENCES.includes(keyword)) continue;
      draft.node[keyword] = this.#keyword(keyword, value, { draft, place });
    }
    for (const keyword of REFERENCES) {
      const reference = schema[keyword];
      if (typeof reference === 'string') this.#refer(reference, draft, place);
    }
    return draft;
  }

  #keyword(keyword: string, value: unknown, { draft, place }: { draft: Draft; place: Place }): unknown {
    const inside = (child: unknown, step: string | number): View =>
      this.#convert(child, { resource: place.resource, path: `${place.path}/${step}`, depth: place.depth + 1 });
    if (keyword === 'properties' && isJsonObject(value)) return this.#properties(value, draft, inside);
    if (keyword === 'required') return namesOf(value).map((name) => toPropertyName(name, this.#rules.propertyName));
    const holding = SUBSCHEMA_PLACES.get(keyword);
    if (holding === undefined) return value;
    if (Array.isArray(value)) {
      const views = value.map((child, index) => inside(child, `${keyword}/${index}`));
      draft.ways.push(this.#listWay(keyword, views));
      return views.map((view) => view.schema);
    }
    if (holding === 'map') {
      if (!isJsonObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, child]) => [
          name,
          isSchema(child) ? inside(child, `${keyword}/${name}`).schema : child,
        ]),
      );
    }
    // Yes and no have their own meaning here, and every provider that knows the keyword knows them.
    if (typeof value === 'boolean') return value;
    const view = inside(value, keyword);
    if (keyword === 'items') draft.ways.push(listBack([], view.back));
    return view.schema;
  }

  #properties(value: JsonObject, draft: Draft, inside: (child: unknown, step: string) => View): JsonObject {
    const views = Object.entries(value).map(([name, child]) => ({
      name,
      key: toPropertyName(name, this.#rules.propertyName),
      view: inside(child, name),
    }));
    draft.properties = new Map(
      views.map(({ name, key, view }) => [key, { name, back: view.back, isNullAbsent: false }]),
    );
    return Object.fromEntries(views.map(({ key, view }) => [key, view.schema]));
  }

  #listWay(keyword: string, views: readonly View[]): WayBack {
    if (keyword === 'allOf') return inTurn(views.map(({ back }) => back));
    if (keyword === 'prefixItems' || keyword === 'items')
      return listBack(
        views.map(({ back }) => back),
        unchanged,
      );
    if (keyword !== 'anyOf' && keyword !== 'oneOf') return unchanged;
    const fits = fitting(
      views.map(({ schema }) => schema),
      () => this.definitions(),
    );
    return choiceBack(views.map(({ back }, index) => ({ back, fits: (value) => fits(index, value) })));
  }

  #refer(reference: string, draft: Draft, place: Place): void {
    const target = this.#target(reference, place);
    if (target === undefined) return;
    const view =
      this.#rules.references === 'kept' ? this.#definition(reference, target, place) : this.#inlined(target, place);
    draft.ways.push(view.back);
    const { schema, losses } = mergeBoth(draft.node, view.schema);
    for (const loss of losses) this.#note(place, loss);
    Object.assign(draft.node, schema);
  }

  #definition(reference: string, target: Located, place: Place): View {
    const known = this.#names.get(target.schema);
    const name = known ?? this.#freeName(reference);
    const view: View = {
      schema: { $ref: `#/$defs/${name}` },
      back: (value) => this.#definitions.get(name)?.back(value) ?? value,
    };
    if (known !== undefined) return view;
    this.#names.set(target.schema, name);
    this.#definitions.set(name, { schema: {}, back: unchanged });
    this.#definitions.set(
      name,
      this.#convert(target.schema, { resource: target.resource, path: `/$defs/${name}`, depth: place.depth + 1 }),
    );
    return view;
  }

  #target(reference: string, place: Place): Located | undefined {
    try {
      return this.#resources.resolve(reference, place.resource);
    } catch (error) {
      // It stands where no value is ever judged, or the whole schema would not be usable.
      if (!(error instanceof UnresolvedReference)) throw error;
      return undefined;
    }
  }

  #freeName(reference: string): string {
    const last = reference.split(/[#/]/).findLast((part) => part !== '') ?? 'root';
    const plain = last.replaceAll(/[^\w-]/g, '_').slice(0, 40) || 'root';
    return this.#definitions.has(plain) ? `${plain}_${this.#definitions.size}` : plain;
  }

  #inlined(target: Located, place: Place): View {
    if (this.#open.has(target.schema)) {
      this.#note(place, 'is recursive; its deeper levels are only described');
      const isObject = isJsonObject(target.schema) && target.schema['type'] === 'object';
      return {
        schema: withRemark(isObject ? { type: 'object' } : {}, 'Has the same form as what it is part of.'),
        back: unchanged,
      };
    }
    this.#open.add(target.schema);
    const view = this.#convert(target.schema, { ...place, resource: target.resource, depth: place.depth + 1 });
    this.#open.delete(target.schema);
    return view;
  }

  /** Applies what strict mode asks of every schema, and closes the way back over the properties. */
  #strict(view: View, properties: ReadonlyMap<string, PropertyBack>, place: Place): View {
    if (!this.#rules.isStrict) return { schema: view.schema, back: inTurn([view.back, objectBack(properties)]) };
    const reason = notStrictBecause(view.schema);
    if (reason !== undefined) this.#notStrict ??= `${place.path || 'the root'} ${reason}`;
    const { schema, optional } = requireAll(view.schema);
    const before = isJsonObject(view.schema['properties']) ? view.schema['properties'] : {};
    for (const name of optional) this.#mustNotBeNull(before[name], `${place.path}/${name}`);
    const marked = [...properties].map(
      ([key, back]) => [key, { ...back, isNullAbsent: optional.includes(key) }] as const,
    );
    return { schema, back: inTurn([view.back, objectBack(new Map(marked))]) };
  }

  /** A null could mean that it was left out, or that it is null. */
  #mustNotBeNull(schema: unknown, path: string): void {
    if (!isJsonObject(schema)) return;
    const { type } = schema;
    // Nearly always the type alone tells.
    if (typeof type !== 'string' || type === 'null') this.#maybeNull.push({ schema, path });
  }

  #note({ path }: Place, loss: string): void {
    this.#report.add(`${path || 'the root'}: ${loss}`);
  }
}
