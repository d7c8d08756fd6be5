import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EraMemory, EraVerdict } from '../connection/era-memory.ts';
import { makePrivateFolder } from '../private-folder.ts';

/** Remembers how each server, known by its definition, must be spoken to. */
export interface EraStore {
  memoryOf(definition: string): EraMemory;
}

// The newest are kept; a server that was forgotten is asked again.
const MAX_VERDICTS = 1_000;
const VERDICTS: ReadonlySet<unknown> = new Set<EraVerdict>(['modern', 'legacy', 'legacy-sse']);

/** Verdicts that last as long as the hub. */
export function createEraStore(): EraStore {
  return storeOf(new Map(), () => undefined);
}

/** Verdicts in a file, so that a question which a server leaves unanswered is asked once and not at every start. */
export function createFileEraStore(path: string): EraStore {
  const proved = readVerdicts(path);
  return storeOf(new Map(proved), (definition, verdict) => {
    if (proved.get(definition) === verdict) return;
    proved.delete(definition);
    if (verdict) proved.set(definition, verdict);
    writeVerdicts(path, proved);
  });
}

function storeOf(
  verdicts: Map<string, EraVerdict>,
  keep: (definition: string, verdict?: EraVerdict) => void,
): EraStore {
  return {
    memoryOf: (definition) => ({
      recall: () => verdicts.get(definition),
      note: (verdict, certainty) => {
        verdicts.set(definition, verdict);
        if (certainty === 'proved') keep(definition, verdict);
      },
      forget: () => {
        verdicts.delete(definition);
        keep(definition);
      },
    }),
  };
}

/** A file that is missing, torn or full of something else is worth one more question to each server. */
function readVerdicts(path: string): Map<string, EraVerdict> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const entries = Object.entries(parsed as Record<string, EraVerdict>);
    return new Map(entries.filter(([, verdict]) => VERDICTS.has(verdict)));
  } catch {
    return new Map();
  }
}

/** What cannot be kept is asked for again next time; that is no reason to fail. */
function writeVerdicts(path: string, verdicts: ReadonlyMap<string, EraVerdict>): void {
  try {
    makePrivateFolder(dirname(path));
    const draft = `${path}.${randomUUID()}`;
    writeFileSync(draft, JSON.stringify(Object.fromEntries([...verdicts].slice(-MAX_VERDICTS))), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // A read-only home is an ordinary thing in a container.
  }
}
