import type { Rule } from './evaluation.ts';
import type { SafePattern } from './safe-pattern.ts';
import type { Located, Resource } from './schema-resources.ts';

/** Which draft a schema is written in, where that makes a difference. */
export type Dialect = 'draft-07' | '2019-09' | '2020-12';

/** Where a keyword stands, and what it may ask of the compiler. */
export interface KeywordSite {
  readonly keyword: string;
  /** The schema that the keyword is in. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly resource: Resource;
  readonly dialect: Dialect;
  /** The rule of a schema inside this keyword. */
  rule(schema: unknown, step?: string | number): Rule;
  /** The rule of what a reference leads to. */
  referred(reference: string): { readonly located: Located; readonly rule: Rule };
  /** The rules of all that a dynamic name may stand for, by resource. */
  dynamic(name: string): ReadonlyMap<Resource, Rule>;
  /** A pattern of the schema, if it is safe to use. */
  pattern(source: string): SafePattern;
  /** Says in the report that this keyword is not enforced. */
  ignore(why: string): undefined;
  note(line: string): void;
}

/** Makes a rule of a keyword's value; nothing if it has no say over values. */
export type KeywordCompiler = (value: unknown, site: KeywordSite) => Rule | undefined;

/** A keyword and how it becomes a rule. */
export type KeywordEntry = readonly [keyword: string, compile: KeywordCompiler];

/** Reads a keyword's value that must be a whole number from 0 up. */
export function wholeNumber(value: unknown, site: KeywordSite): number | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  return site.ignore('is not a whole number');
}

/** Reads a keyword's value that must be a list of names. */
export function nameList(value: unknown, site: KeywordSite): readonly string[] | undefined {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return site.ignore('is not a list of names');
}
