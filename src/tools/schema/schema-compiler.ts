import { ARRAY_KEYWORDS, OLD_ARRAY_KEYWORDS } from './array-keywords.ts';
import { COMBINING_KEYWORDS } from './combining-keywords.ts';
import { Judged } from './evaluation.ts';
import type { Rule } from './evaluation.ts';
import { GENERAL_KEYWORDS } from './general-keywords.ts';
import type { Dialect, KeywordEntry, KeywordSite } from './keyword-site.ts';
import { NUMBER_KEYWORDS } from './number-keywords.ts';
import { OBJECT_KEYWORDS, OLD_OBJECT_KEYWORDS } from './object-keywords.ts';
import { OLD_REFERENCE_KEYWORDS, REFERENCE_KEYWORDS } from './reference-keywords.ts';
import { PatternReader } from './safe-pattern.ts';
import type { Located, Resource, SchemaResources } from './schema-resources.ts';
import { STRING_KEYWORDS } from './string-keywords.ts';
import { isSchema, SUBSCHEMA_PLACES } from './subschema-places.ts';
import { UNEVALUATED_KEYWORDS } from './unevaluated-keywords.ts';

type SchemaObject = Readonly<Record<string, unknown>>;

/** A schema on its way to become a rule; references may meet it before it is one. */
interface Unit {
  rule: Rule;
  /** Schemas applied to the same value as this one. */
  readonly beside: Unit[];
}

const KEYWORDS: readonly KeywordEntry[] = [
  ...REFERENCE_KEYWORDS,
  ...GENERAL_KEYWORDS,
  ...NUMBER_KEYWORDS,
  ...STRING_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...OBJECT_KEYWORDS,
  ...COMBINING_KEYWORDS,
  ...UNEVALUATED_KEYWORDS,
];
const OLD_KEYWORDS = [...OLD_REFERENCE_KEYWORDS, ...OLD_ARRAY_KEYWORDS, ...OLD_OBJECT_KEYWORDS];
const BESIDE = new Set(['$ref', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'dependencies']);

const anything: Rule = () => true;
const nothing: Rule = (_, run) => run.fail('false', () => 'is not allowed here');

/** Turns the schemas of one document into rules, each of them once. */
export class SchemaCompiler {
  readonly #resources: SchemaResources;
  readonly #dialect: Dialect;
  readonly #keywords: readonly KeywordEntry[];
  readonly #note: (line: string) => void;
  readonly #patterns = new PatternReader();
  readonly #units = new Map<SchemaObject, Unit>();

  constructor(resources: SchemaResources, dialect: Dialect, note: (line: string) => void) {
    this.#resources = resources;
    this.#dialect = dialect;
    this.#keywords = dialect === '2020-12' ? KEYWORDS : [...OLD_KEYWORDS, ...KEYWORDS];
    this.#note = note;
  }

  /** The rule of the whole document. */
  compile(): Rule {
    const { root } = this.#resources;
    return this.#unit({ schema: root.root, resource: root }, '').rule;
  }

  /** Whether some value would make a schema apply itself to that same value forever. */
  isEndless(): boolean {
    const done = new Set<Unit>();
    const open = new Set<Unit>();
    const visit = (unit: Unit): boolean => {
      if (open.has(unit)) return true;
      if (done.has(unit)) return false;
      open.add(unit);
      const found = unit.beside.some(visit);
      open.delete(unit);
      done.add(unit);
      return found;
    };
    return [...this.#units.values()].some(visit);
  }

  #unit({ schema, resource }: Located, place: string): Unit {
    if (typeof schema === 'boolean') return { rule: schema ? anything : nothing, beside: [] };
    const known = this.#units.get(schema);
    if (known !== undefined) return known;
    const unit: Unit = { rule: (value, run, judged) => later(value, run, judged), beside: [] };
    let later: Rule = anything;
    this.#units.set(schema, unit);
    later = this.#ruleOf(schema, { unit, resource, place });
    unit.rule = later;
    return unit;
  }

  #ruleOf(schema: SchemaObject, at: { unit: Unit; resource: Resource; place: string }): Rule {
    const isAlone = this.#dialect === 'draft-07' && typeof schema['$ref'] === 'string';
    const rules: Rule[] = [];
    let tracks = false;
    let isLeaf = true;
    for (const [keyword, compile] of this.#keywords) {
      if (!Object.hasOwn(schema, keyword) || (isAlone && keyword !== '$ref')) continue;
      const rule = compile(schema[keyword], this.#site(keyword, schema, at));
      if (rule === undefined) continue;
      rules.push(rule);
      tracks ||= keyword.startsWith('unevaluated');
      isLeaf &&= !keyword.startsWith('$') && !SUBSCHEMA_PLACES.has(keyword);
    }
    return isLeaf ? toLeafRule(rules) : toRule(rules, at.resource, tracks);
  }

  #site(keyword: string, schema: SchemaObject, at: { unit: Unit; resource: Resource; place: string }): KeywordSite {
    const { unit, resource, place } = at;
    const here = `${place}/${keyword}`;
    const use = (located: Located, where: string): Rule => {
      const used = this.#unit(located, where);
      if (BESIDE.has(keyword)) unit.beside.push(used);
      return used.rule;
    };
    return {
      keyword,
      schema,
      resource,
      dialect: this.#dialect,
      pattern: (source) => this.#patterns.read(source),
      note: (line) => this.#note(`${here}: ${line}`),
      ignore: (why) => {
        this.#note(`${here} ${why}; it is not enforced`);
        return undefined;
      },
      rule: (child, step) => {
        const where = step === undefined ? here : `${here}/${step}`;
        if (isSchema(child)) return use({ schema: child, resource: this.#resources.homeOf(child, resource) }, where);
        this.#note(`${where} is not a schema; it is not enforced`);
        return anything;
      },
      referred: (reference) => {
        const located = this.#resources.resolve(reference, resource);
        return { located, rule: use(located, reference) };
      },
      dynamic: (name) =>
        new Map(
          this.#resources
            .dynamicTargets(name)
            .map((located) => [located.resource, this.#unit(located, `#${name}`).rule]),
        ),
    };
  }
}

/** Applies the rules of a schema without subschemas, as most are: no other resource, nothing to keep track of. */
function toLeafRule(rules: readonly Rule[]): Rule {
  const [only] = rules;
  if (only === undefined) return anything;
  if (rules.length === 1) return only;
  return (value, run) => {
    let isValid = true;
    for (const rule of rules) {
      isValid = rule(value, run, undefined) && isValid;
      if (!isValid && !run.explains) return false;
    }
    return isValid;
  };
}

/** Applies the rules of one schema, in order; `unevaluated` rules are the last and see what the others saw. */
function toRule(rules: readonly Rule[], resource: Resource, tracks: boolean): Rule {
  return (value, run, outer) => {
    run.enter();
    const entersResource = run.scope.at(-1) !== resource;
    if (entersResource) run.scope.push(resource);
    const judged = tracks || outer ? new Judged() : undefined;
    let isValid = true;
    for (const rule of rules) {
      isValid = rule(value, run, judged) && isValid;
      if (!isValid && !run.explains) break;
    }
    if (isValid && judged) outer?.addFrom(judged);
    if (entersResource) run.scope.pop();
    run.leave();
    return isValid;
  };
}
