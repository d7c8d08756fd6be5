import type { z } from 'zod';
import { messageOf } from '../errors.ts';
import { CONFIG_KEYS, configOutlineSchema } from './config-schema.ts';
import type { ConfigProblem, ConfigWarning, FieldPath, FieldProblem, FieldWarning } from './config-problem.ts';
import { createPolicy } from './create-policy.ts';
import { isMap } from './found-value.ts';
import { originOf, respellKeys } from './key-spelling.ts';
import type { ConfigGroup, Declared, ParsedConfig } from './parsed-config.ts';
import { readServer } from './parse-server.ts';
import { POLICY_KEYS, policyEntrySchema } from './policy-entry.ts';
import type { PolicyEntry } from './policy-entry.ts';
import { checkSchema } from './schema-problems.ts';
import type { SchemaResult } from './schema-problems.ts';
import { PROFILE_KEYS, profileEntrySchema, SECTION_KEYS, sectionEntrySchema } from './section-entry.ts';
import type { McpServer, Scope } from './server.ts';
import { locateProblem, locateWarning } from './source-document.ts';
import type { SourceDocument } from './source-document.ts';

/** Reads the document of a `fairlead.yaml` and finds every mistake in it. */
export function parseConfig(document: SourceDocument, scope: Scope): ParsedConfig {
  const reader = new ConfigReader(document, scope);
  return {
    document,
    scope,
    servers: reader.servers(),
    policies: reader.policies(),
    sections: reader.entries('sections', sectionEntrySchema, () => SECTION_KEYS),
    profiles: reader.entries('profiles', profileEntrySchema, () => PROFILE_KEYS),
    problems: reader.problems,
    warnings: reader.warnings,
  };
}

/** Which keys an entry may have; for a policy that depends on its kind. */
type KeysOf = (entry: Readonly<Record<string, unknown>>) => readonly string[];

class ConfigReader {
  readonly problems: ConfigProblem[];
  readonly warnings: ConfigWarning[] = [];
  readonly #document: SourceDocument;
  readonly #scope: Scope;
  readonly #root: Readonly<Record<string, unknown>>;

  constructor(document: SourceDocument, scope: Scope) {
    this.#document = document;
    this.#scope = scope;
    this.problems = [...document.problems];
    this.#root = isMap(document.value) ? document.value : {};
    if (document.value !== undefined) this.#refuseAll(configOutlineProblems(document.value), []);
  }

  servers(): readonly Declared<McpServer>[] {
    return this.#group('servers').map(([name, raw]) => {
      const path = ['servers', name];
      const { server, problems, warnings } = readServer(name, raw, { scope: this.#scope });
      this.#refuseAll(problems, path);
      for (const warning of warnings) this.#warn(warning, path);
      return { name, path, value: server };
    });
  }

  /** What no schema can see, such as tools that wait for each other, shows when the policy is made. */
  policies(): readonly Declared<PolicyEntry>[] {
    return this.entries('policies', policyEntrySchema, policyKeys).map((policy) => {
      const problem = policy.value && policyProblem(policy.name, policy.value);
      if (!problem) return policy;
      this.#refuseAll([problem], policy.path);
      return { ...policy, value: undefined };
    });
  }

  entries<Value>(group: ConfigGroup, schema: z.ZodType<Value>, keysOf: KeysOf): readonly Declared<Value>[] {
    return this.#group(group).map(([name, raw]) => {
      const path = [group, name];
      const result = readEntry(raw, schema, keysOf);
      if (!result.ok) this.#refuseAll(result.problems, path);
      return { name, path, value: result.ok ? result.value : undefined };
    });
  }

  #group(group: ConfigGroup): [string, unknown][] {
    const entries = this.#root[group];
    return isMap(entries) ? Object.entries(entries) : [];
  }

  #refuseAll(problems: readonly FieldProblem[], at: FieldPath): void {
    const placed = problems.map((problem) => ({ ...problem, path: [...at, ...problem.path] }));
    this.problems.push(...placed.map((problem) => locateProblem(this.#document, problem)));
  }

  #warn(warning: FieldWarning, at: FieldPath): void {
    this.warnings.push(locateWarning(this.#document, { ...warning, path: [...at, ...warning.path] }));
  }
}

function configOutlineProblems(value: unknown): readonly FieldProblem[] {
  const outline = isMap(value) ? respellKeys(value, CONFIG_KEYS).value : value;
  const result = checkSchema(configOutlineSchema, outline, () => CONFIG_KEYS);
  return result.ok ? [] : result.problems;
}

function readEntry<Value>(raw: unknown, schema: z.ZodType<Value>, keysOf: KeysOf): SchemaResult<Value> {
  if (!isMap(raw)) return checkSchema(schema, raw, () => []);
  const known = keysOf(raw);
  const { value, origins, problems } = respellKeys(raw, known);
  const result = checkSchema(schema, value, () => known);
  if (result.ok) return problems.length === 0 ? result : { ok: false, problems };
  const found = result.problems.map((problem) => ({ ...problem, path: originOf(origins, problem.path) }));
  return { ok: false, problems: [...problems, ...found] };
}

function policyProblem(name: string, entry: PolicyEntry): FieldProblem | undefined {
  try {
    createPolicy(name, entry);
    return undefined;
  } catch (error) {
    const mistake = messageOf((error as Error).cause ?? error);
    return { path: [], part: 'value', found: `what can never work (${mistake})`, expected: 'a policy that can' };
  }
}

function policyKeys(entry: Readonly<Record<string, unknown>>): readonly string[] {
  const { kind } = entry as { readonly kind?: unknown };
  return POLICY_KEYS.get(String(kind)) ?? ['kind'];
}
