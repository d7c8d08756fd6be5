import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { environmentSource } from '../../src/config/secret-sources.ts';
import type { SecretSource } from '../../src/config/secret-sources.ts';
import { formsOf } from '../../src/secret-forms.ts';

/** Secrets that servers are given, and that must be seen nowhere again. */
export interface Canaries {
  readonly values: readonly string[];
  /** A part of each value; whatever spelling the value takes, it holds a spelling of this. */
  readonly cores: readonly string[];
  /** One value as it stands, one by reference: the two ways in which a secret gets into a definition. */
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the reference is found. */
  readonly source: SecretSource;
}

/** New secrets, with characters that are spelled differently in JSON and in urls. */
export function createCanaries(): Canaries {
  const cores = [randomUUID(), randomUUID()];
  const [literal = '', referenced = ''] = cores.map((core) => `canary/${core}+"quoted"&=%`);
  return {
    values: [literal, referenced],
    cores,
    env: { FAULT_TOKEN: literal, FAULT_CANARY: '${FAULT_CANARY}' },
    headers: { Authorization: `Bearer ${literal}`, 'X-Canary': '${FAULT_CANARY}' },
    source: environmentSource({ FAULT_CANARY: referenced }),
  };
}

/** Where a secret is seen in things that were logged, thrown, sent or shown, whatever its spelling. */
export function sightings(canaries: Canaries, seen: Readonly<Record<string, readonly unknown[]>>): readonly string[] {
  const forms = canaries.cores.flatMap(formsOf);
  return Object.entries(seen).flatMap(([place, things]) =>
    things.filter((thing) => textsOf(thing).some((text) => forms.some((form) => text.includes(form)))).map(() => place),
  );
}

function textsOf(thing: unknown): readonly string[] {
  const inspected = inspect(thing, {
    depth: 10,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
    breakLength: Infinity,
  });
  return [inspected, toJson(thing)];
}

function toJson(thing: unknown): string {
  try {
    return JSON.stringify(thing) ?? '';
  } catch {
    return '';
  }
}
