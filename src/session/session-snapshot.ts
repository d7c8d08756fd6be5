import { isJsonObject } from '../call/json-object.ts';
import { McpError, messageOf } from '../errors.ts';
import { copyJson } from './json-copy.ts';
import type { JsonValue } from './json-copy.ts';
import type { SliceContents } from './slice-store.ts';

/** A session's state at one moment, fit for JSON. */
export interface SessionSnapshot {
  readonly version: 1;
  readonly sessionId: string;
  readonly principal: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** By the names of the slices. */
  readonly slices: Readonly<Record<string, readonly JsonValue[]>>;
}

/** Copies the contents of slices; throws with the slice and the path of what JSON cannot say. */
export function copyContents(contents: SliceContents): Readonly<Record<string, readonly JsonValue[]>> {
  return Object.fromEntries(Object.entries(contents).map(([name, items]) => [name, copyItems(name, items)]));
}

/** The contents of a snapshot, from memory or from a file; throws when it is none. */
export function contentsOf(snapshot: unknown): Readonly<Record<string, readonly JsonValue[]>> {
  if (!isJsonObject(snapshot) || snapshot['version'] !== 1) throw notASnapshot('its version must be 1');
  const { slices } = snapshot;
  if (!isJsonObject(slices)) throw notASnapshot('it has no slices');
  for (const [name, items] of Object.entries(slices)) {
    if (!Array.isArray(items)) throw notASnapshot(`its slice '${name}' is no list`);
  }
  return copyContents(slices as SliceContents);
}

function copyItems(name: string, items: readonly unknown[]): readonly JsonValue[] {
  try {
    return items.map((item, index) => copyJson(item, `/${index}`));
  } catch (cause) {
    throw new McpError('SESSION_INVALID', `the slice '${name}' does not fit into a snapshot: ${messageOf(cause)}`, {
      cause,
    });
  }
}

function notASnapshot(why: string): McpError {
  return new McpError('SESSION_INVALID', `this is no snapshot of a session: ${why}`);
}
