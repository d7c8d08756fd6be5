// A table: what each provider takes as the schema of a tool's arguments.

/** Whose view of a schema is wanted. */
export type Provider = 'openai' | 'openai-strict' | 'anthropic' | 'gemini' | 'gemini-json-schema';

/** What a provider takes; whatever it does not take moves into descriptions. */
export interface ProviderRules {
  /** The names that a tool may have. */
  readonly toolName: RegExp;
  /** Characters of a tool's description. */
  readonly maxDescription: number;
  /** The keywords it knows; undefined for all. */
  readonly keywords: ReadonlySet<string> | undefined;
  /** The keywords that must not stand at the root. */
  readonly notAtRoot: ReadonlySet<string>;
  /** The formats it knows; undefined for all. */
  readonly formats: ReadonlySet<string> | undefined;
  /** The names that a property may have; undefined for all. */
  readonly propertyName: RegExp | undefined;
  /** Whether a reference stays one, or what it names is put in its place. */
  readonly references: 'kept' | 'inlined';
  /** Whether null is a type like others, or a mark beside one type. */
  readonly nullable: 'type' | 'mark';
  readonly enums: 'any' | 'texts-and-numbers' | 'texts';
  /** Every object closed, every property required, every value typed. */
  readonly isStrict: boolean;
}

const ROOT_UNIONS = ['oneOf', 'anyOf', 'allOf', '$ref'];
const REMARKS = ['title', 'description'];

const OPENAI: ProviderRules = {
  toolName: /^[\w-]{1,64}$/,
  maxDescription: 1024,
  keywords: undefined,
  notAtRoot: new Set([...ROOT_UNIONS, 'enum', 'const', 'not']),
  formats: undefined,
  propertyName: undefined,
  references: 'kept',
  nullable: 'type',
  enums: 'any',
  isStrict: false,
};

const GEMINI: ProviderRules = {
  toolName: /^[a-z_][\w.:-]{0,63}$/i,
  maxDescription: Infinity,
  keywords: new Set([
    ...REMARKS,
    'type',
    'nullable',
    'enum',
    'format',
    'properties',
    'required',
    'items',
    'anyOf',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ]),
  notAtRoot: new Set([...ROOT_UNIONS, 'enum', 'const', 'not', 'if', 'then', 'else']),
  formats: new Set(['date-time', 'float', 'double', 'int32', 'int64']),
  propertyName: /^[a-z_]\w{0,63}$/i,
  references: 'inlined',
  nullable: 'mark',
  enums: 'texts',
  isStrict: false,
};

/** The rules of every provider, from their published limits and the errors that their users met. */
export const PROVIDER_RULES: Readonly<Record<Provider, ProviderRules>> = {
  openai: OPENAI,
  'openai-strict': {
    ...OPENAI,
    // Bounds, patterns and formats are taken by some of its models only, so all of them move.
    keywords: new Set([
      ...REMARKS,
      '$ref',
      'type',
      'enum',
      'const',
      'properties',
      'required',
      'additionalProperties',
      'items',
      'anyOf',
    ]),
    isStrict: true,
  },
  anthropic: {
    ...OPENAI,
    toolName: /^[\w-]{1,128}$/,
    maxDescription: Infinity,
    notAtRoot: new Set(ROOT_UNIONS),
  },
  gemini: GEMINI,
  'gemini-json-schema': {
    ...GEMINI,
    keywords: new Set([
      ...REMARKS,
      '$ref',
      'type',
      'enum',
      'format',
      'properties',
      'required',
      'additionalProperties',
      'items',
      'prefixItems',
      'anyOf',
      'minimum',
      'maximum',
      'minItems',
      'maxItems',
    ]),
    formats: undefined,
    references: 'kept',
    nullable: 'type',
    enums: 'texts-and-numbers',
  },
};

/** What strict mode takes of one tool. */
export const STRICT_LIMITS = { properties: 5000, depth: 10, enumValues: 1000, characters: 120_000 } as const;
