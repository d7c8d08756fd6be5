import { isJsonObject } from '../../call/json-object.ts';
import type { JsonObject } from '../../call/tool-ref.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import { LossReport } from '../schema/loss-report.ts';
import { SchemaResources } from '../schema/schema-resources.ts';
import type { ToolSpec } from '../tool-spec.ts';
import { flattenRoot } from './flatten-root.ts';
import { PROVIDER_RULES } from './provider-rules.ts';
import type { Provider, ProviderRules } from './provider-rules.ts';
import { restrictNode } from './restrict-node.ts';
import { tooLargeForStrict } from './strict-node.ts';
import { ViewConverter } from './view-converter.ts';
import type { View } from './view-converter.ts';
import type { WayBack } from './way-back.ts';

/** A tool as one provider's models see it. The server's own schema stays the judge of arguments. */
export interface ProviderView {
  /** Whether the provider takes the tool's name as it is. */
  readonly isNameSafe: boolean;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Whether the provider may be told to enforce the schema. */
  readonly isStrict: boolean;
  /** Every step at which the view says less than the server's schema. */
  readonly report: readonly string[];
  /** What a model wrote for this view, as the server takes it. */
  toServerArguments(args: JsonObject): JsonObject;
}

type Viewed = Pick<ToolSpec, 'name' | 'description' | 'inputSchema'>;

const WRAPPER = 'input';

/** Makes the view of a tool for a provider. Never throws: what cannot be shown is shown as any object. */
export function providerView(spec: Viewed, provider: Provider): ProviderView {
  const rules = PROVIDER_RULES[provider];
  const report = new LossReport();
  const root = rules.isStrict ? strictRoot(spec, rules, report) : looseRoot(spec, rules, report);
  const view = root ?? looseRoot(spec, PROVIDER_RULES.openai, report);
  const { description, schema } = splitDescription(spec.description, view.schema);
  return {
    isNameSafe: rules.toolName.test(spec.name),
    description: cutDescription(description, rules, report),
    inputSchema: schema,
    isStrict: rules.isStrict && root !== undefined,
    report: report.lines(),
    toServerArguments: (args) => toObject(view.back, args),
  };
}

function strictRoot({ inputSchema }: Viewed, rules: ProviderRules, report: LossReport): View | undefined {
  const resources = toResources(inputSchema);
  if (resources === undefined) return undefined;
  const losses = new LossReport();
  const converter = new ViewConverter(resources, rules, losses);
  const root = converter.convertWhole();
  const schema = withDefinitions(root.schema, converter.definitions());
  const forbidden = Object.keys(schema).find((keyword) => rules.notAtRoot.has(keyword));
  const reason =
    converter.whyNotStrict() ??
    (forbidden === undefined ? undefined : `the root has ${forbidden}`) ??
    tooLargeForStrict(schema);
  if (reason !== undefined) {
    report.add(`not sent in strict mode: ${reason}`);
    return undefined;
  }
  for (const line of losses.lines()) report.add(line);
  return { schema, back: root.back };
}

function looseRoot({ inputSchema }: Viewed, rules: ProviderRules, report: LossReport): View {
  const resources = toResources(inputSchema);
  if (resources === undefined) {
    report.add('the schema cannot be used; any object is accepted instead');
    return { schema: { type: 'object', properties: {} }, back: (value) => value };
  }
  const note = (loss: string): void => report.add(`the root: ${loss}`);
  const converter = new ViewConverter(resources, rules, report);
  const root = converter.convertRoot();
  const context = { definitions: converter.definitions(), forbidden: rules.notAtRoot, note };
  const flat = flattenRoot(root.schema, context);
  if (flat === undefined) return wrapped(resources, rules, report);
  const plain = restrictNode({ properties: {}, ...flat }, { ...rules, nullable: 'type' }, note);
  return { schema: withDefinitions({ ...plain, type: 'object' }, converter.definitions()), back: root.back };
}

/** The whole schema as the one property of an object, for a root that cannot be made plain. */
function wrapped(resources: SchemaResources, rules: ProviderRules, report: LossReport): View {
  report.add(`the root: cannot be shown as one object; it is wrapped as the property '${WRAPPER}'`);
  const converter = new ViewConverter(resources, rules, report);
  const { schema, back } = converter.convertWhole();
  const root = { type: 'object', properties: { [WRAPPER]: schema }, required: [WRAPPER] };
  return { schema: withDefinitions(root, converter.definitions()), back: (args) => back(unwrap(args)) };
}

function unwrap(args: unknown): unknown {
  const isWrapped = isJsonObject(args) && Object.hasOwn(args, WRAPPER) && Object.keys(args).length === 1;
  return isWrapped && isJsonObject(args[WRAPPER]) ? args[WRAPPER] : args;
}

function toResources(schema: JsonObject): SchemaResources | undefined {
  return compileSchema(schema).kind === 'usable' ? new SchemaResources(schema) : undefined;
}

/** Adds the definitions that are used, by the root or by each other. */
function withDefinitions(root: JsonObject, definitions: JsonObject): JsonObject {
  const used = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/\$defs\/([\w-]+)"/g)) {
      if (used.has(name) || !Object.hasOwn(definitions, name)) continue;
      used.add(name);
      visit(JSON.stringify(definitions[name]));
    }
  };
  visit(JSON.stringify(root));
  if (used.size === 0) return root;
  return { ...root, $defs: Object.fromEntries(Object.entries(definitions).filter(([name]) => used.has(name))) };
}

/** What the root says in words belongs to the tool. */
function splitDescription(
  text: string,
  schema: JsonObject,
): { readonly description: string; readonly schema: JsonObject } {
  const { description, ...rest } = schema;
  if (typeof description !== 'string' || description === '') return { description: text, schema: rest };
  return { description: text === '' ? description : `${text}\n\n${description}`, schema: rest };
}

function cutDescription(text: string, { maxDescription }: ProviderRules, report: LossReport): string {
  if (text.length <= maxDescription) return text;
  report.add(`the description is cut from ${text.length} to ${maxDescription} characters`);
  return `${text.slice(0, maxDescription - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function toObject(back: WayBack, args: JsonObject): JsonObject {
  const value = back(args);
  return isJsonObject(value) ? value : args;
}
