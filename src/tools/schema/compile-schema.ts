import { isJsonObject } from '../../call/json-object.ts';
import { Run, TooCostly } from './evaluation.ts';
import type { Rule } from './evaluation.ts';
import type { Dialect } from './keyword-site.ts';
import { LossReport } from './loss-report.ts';
import { reasonTooLarge } from './measure-schema.ts';
import type { SchemaCheck, SchemaVerdict } from './schema-check.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { DEFAULT_SCHEMA_LIMITS } from './schema-limits.ts';
import type { SchemaLimits } from './schema-limits.ts';
import { SchemaResources, UnresolvedReference } from './schema-resources.ts';
import { isSchema } from './subschema-places.ts';

const VALID: SchemaVerdict = { valid: true };
const TOO_COSTLY: SchemaVerdict = {
  valid: false,
  problems: [
    {
      path: [],
      keyword: 'limit',
      message: 'checking this against the schema would take too long; send less, or less deeply nested',
    },
  ],
  more: 0,
};

/** Makes a schema ready to judge values as JSON Schema 2020-12 says; never throws and fetches nothing. */
export function compileSchema(schema: unknown, limits: SchemaLimits = DEFAULT_SCHEMA_LIMITS): SchemaCheck {
  if (!isSchema(schema)) return { kind: 'unusable', reason: 'it is not a schema' };
  const tooLarge = reasonTooLarge(schema, limits);
  if (tooLarge !== undefined) return { kind: 'unusable', reason: tooLarge };
  const report = new LossReport();
  const dialect = dialectOf(schema, report);
  try {
    const compiler = new SchemaCompiler(new SchemaResources(schema), dialect, (line) => report.add(line));
    const rule = compiler.compile();
    if (compiler.isEndless()) return { kind: 'unusable', reason: 'it refers to itself without end' };
    return { kind: 'usable', report: report.lines(), check: (value) => judge(rule, value, limits) };
  } catch (error) {
    if (error instanceof UnresolvedReference) return { kind: 'unusable', reason: error.message };
    // Thousands of references, each behind the other, end the stack.
    if (error instanceof RangeError) return { kind: 'unusable', reason: 'its references lead too deep' };
    throw error;
  }
}

/** The verdict first, which is all that a valid value needs; the reasons in a second run. */
function judge(rule: Rule, value: unknown, limits: SchemaLimits): SchemaVerdict {
  const found = apply(rule, value, new Run(limits, 'verdict'));
  if (found === 'valid') return VALID;
  if (found === 'too-costly') return TOO_COSTLY;
  const run = new Run(limits, 'explain');
  const isComplete = apply(rule, value, run) !== 'too-costly';
  return isComplete || run.problems.length > 0
    ? { valid: false, problems: run.problems, more: run.more }
    : TOO_COSTLY;
}

function apply(rule: Rule, value: unknown, run: Run): 'valid' | 'invalid' | 'too-costly' {
  try {
    return rule(value, run, undefined) ? 'valid' : 'invalid';
  } catch (error) {
    // The other one is what the language says when its own stack ends.
    if (error instanceof TooCostly || error instanceof RangeError) return 'too-costly';
    throw error;
  }
}

function dialectOf(schema: unknown, report: LossReport): Dialect {
  const named = isJsonObject(schema) ? schema['$schema'] : undefined;
  if (typeof named !== 'string') return '2020-12';
  const version = /^https?:\/\/json-schema\.org\/draft(?:\/(?<year>\d{4}-\d{2})|-0(?<draft>\d))\/schema#?$/.exec(named);
  const { year, draft } = version?.groups ?? {};
  if (year === '2020-12' || year === '2019-09') return year;
  if (draft === '7' || draft === '6' || draft === '4') return 'draft-07';
  report.add(`$schema ${JSON.stringify(named.slice(0, 100))} is not known; read as 2020-12`);
  return '2020-12';
}
