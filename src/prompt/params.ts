import type { StandardParams } from '../bridge/params-schema.ts';
import { PromptValidationError } from './prompt-errors.ts';

/** Parameters of no matter what kind; prompts know them by identity. */
export interface AnyParams {
  readonly name: string;
  /** Every field a value may have, so that placeholders can be checked before there is one. */
  readonly fields: ReadonlySet<string>;
  /** What holds where nothing is bound; undefined unless every field has a default. */
  defaultValues(): Readonly<object> | undefined;
}

/** What a section takes: parameters of which only the kind matters. */
export interface ParamsKind<Fields extends object> extends AnyParams {
  /** Never there; carries the type. */
  readonly of?: Fields;
}

/** Parameters of one kind; calling it makes values to bind. */
export interface PromptParams<Fields extends object, Input extends object = Fields> extends ParamsKind<Fields> {
  (...values: MayBeEmpty<Input>): BoundParams<Fields>;
}

/** Values for one kind of parameters, defaults filled in. */
export interface BoundParams<Fields extends object = object> {
  readonly params: ParamsKind<Fields>;
  readonly values: Readonly<Fields>;
}

/** The names of the fields, because types are gone at run time, and defaults for some of them. */
export interface ListedParamsOptions<Fields extends object> {
  readonly fields: readonly Extract<keyof Fields, string>[];
  readonly defaults?: Readonly<Partial<Fields>>;
}

/** A default for every field, which tells their names too. */
export interface DefaultParamsOptions<Fields extends object> {
  readonly defaults: Readonly<Required<Fields>>;
}

export interface SchemaParamsOptions<Fields extends object> {
  /** A schema of any library that can say itself as JSON Schema, such as zod; values are validated when they are made. */
  readonly schema: StandardParams<Fields>;
  readonly defaults?: Readonly<Partial<Fields>>;
}

/** Arguments that may be left out where no value is required. */
type MayBeEmpty<Input extends object> = Partial<Input> extends Input ? [values?: Input] : [values: Input];

/** Declares parameters that a section's texts may name; keep the object, because prompts know the parameters by it. */
export function defineParams<Fields extends object>(
  name: string,
  options: DefaultParamsOptions<Fields> & { readonly fields?: undefined },
): PromptParams<Fields, Partial<Fields>>;
export function defineParams<Fields extends object>(
  name: string,
  options: ListedParamsOptions<Fields> | SchemaParamsOptions<Fields>,
): PromptParams<Fields>;
export function defineParams(name: string, options: Given): PromptParams<object> {
  const defaults = Object.freeze({ ...options.defaults });
  const fields = new Set(fieldNames(name, options));
  const create = (given: object = {}): BoundParams => {
    const values = { ...defaults, ...withoutGaps(given) };
    const unknown = Object.keys(values).filter((field) => !fields.has(field));
    if (unknown.length > 0) throw unknownFields(name, unknown, fields);
    return Object.freeze({ params: token, values: Object.freeze(parse(name, values, options.schema)) });
  };
  // A function has a name of its own that cannot be written to, only redefined.
  const token = Object.defineProperty(create, 'name', { value: name }) as unknown as PromptParams<object>;
  const isComplete = [...fields].every((field) => Object.hasOwn(defaults, field));
  const defaultValues = (): object | undefined => (isComplete ? create().values : undefined);
  return Object.freeze(Object.assign(token, { fields, defaultValues }));
}

interface Given {
  readonly fields?: readonly string[] | undefined;
  readonly defaults?: object;
  readonly schema?: StandardParams<object>;
}

function fieldNames(name: string, { fields, defaults = {}, schema }: Given): readonly string[] {
  if (!schema) return [...(fields ?? []), ...Object.keys(defaults)];
  const { jsonSchema, vendor } = schema['~standard'];
  if (!jsonSchema) {
    throw new PromptValidationError(
      `params '${name}': a ${vendor} schema that cannot say itself as JSON Schema; list the fields instead`,
    );
  }
  const { properties } = jsonSchema.input({ target: 'draft-2020-12' }) as { readonly properties?: object };
  return Object.keys(properties ?? {});
}

/** A field that is there but undefined does not hide its default. */
function withoutGaps(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function parse(name: string, values: object, schema: StandardParams<object> | undefined): object {
  if (!schema) return values;
  const result = schema['~standard'].validate(values);
  if (result instanceof Promise) {
    throw new PromptValidationError(
      `params '${name}': its schema validates asynchronously, which prompts cannot wait for`,
    );
  }
  if (!result.issues) return { ...result.value };
  const problems = result.issues.map(({ message, path = [] }) =>
    [path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'), message]
      .filter(Boolean)
      .join(': '),
  );
  throw new PromptValidationError(`params '${name}': ${problems.join('; ')}`);
}

function unknownFields(name: string, unknown: readonly string[], fields: ReadonlySet<string>): PromptValidationError {
  const known = [...fields].join(', ') || 'none';
  return new PromptValidationError(`params '${name}' have no field ${unknown.join(', ')} (known: ${known})`);
}
