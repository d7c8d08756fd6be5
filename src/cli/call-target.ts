import { randomUUID } from 'node:crypto';
import type { ToolAddress } from '../bridge/call-options.ts';
import type { CallReport } from '../bridge/call-report.ts';
import { fromError } from '../bridge/to-tool-result.ts';
import { closestWord } from '../config/closest-word.ts';
import type { LocalHub } from '../hub/local-hub.ts';
import { DEFAULT_NAMING, toolName } from '../tools/tool-name.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import { UsageError } from './usage-error.ts';

/** What a call is to be sent to. */
export interface CallTarget {
  readonly tool: ToolAddress;
  /** Undefined when there is no such tool; the call itself then says so. */
  readonly spec: ToolSpec | undefined;
  /** What was probably meant instead. */
  readonly hint?: string;
}

/** Connects what a call needs and looks its tool up; throws if the server cannot be connected. */
export async function findTarget(hub: LocalHub, address: readonly string[], signal: AbortSignal): Promise<CallTarget> {
  const [first = '', tool] = address;
  const servers = hub.status().map(({ name }) => name);
  if (tool === undefined) return findByName(hub, { name: first, servers, signal });
  const target = { server: first, tool };
  if (!servers.includes(first)) return { tool: target, spec: undefined, ...hintFor(first, servers) };
  await connectIfEnabled(hub, first, signal);
  const own = hub.tools(first);
  const spec = own.find((each) => each.tool === tool);
  return {
    tool: target,
    spec,
    ...(!spec &&
      hintFor(
        tool,
        own.map((each) => each.tool),
      )),
  };
}

/** The report of a call whose server could not be connected; the call itself would only try once more. */
export function failedToConnect(error: unknown, durationMs: number): CallReport {
  return { ...fromError(error, true), callId: randomUUID(), durationMs };
}

interface NameSearch {
  readonly name: string;
  readonly servers: readonly string[];
  readonly signal: AbortSignal;
}

/** A name says which servers it may belong to, never which one it does: only their lists tell. */
async function findByName(hub: LocalHub, { name, servers, signal }: NameSearch): Promise<CallTarget> {
  if (servers.includes(name)) throw new UsageError(`call needs TOOL: call ${name} TOOL`, 'call');
  const candidates = servers.filter((server) => mayHave(hub, server, name));
  const ended = await Promise.allSettled(candidates.map((server) => connectIfEnabled(hub, server, signal)));
  const spec = hub.findTool(name);
  const failed = ended.find((each) => each.status === 'rejected');
  if (!spec && failed) throw failed.reason;
  return { tool: name, spec, ...(!spec && hintFor(name, [...servers, ...hub.tools().map((each) => each.name)])) };
}

async function connectIfEnabled(hub: LocalHub, server: string, signal: AbortSignal): Promise<void> {
  if (hub.serverStatus(server).phase !== 'disabled') await hub.connect(server, undefined, { signal });
}

// A longer name ends in a hash, before which less of its server's name is left.
const SURE_LENGTH = 55;

function mayHave(hub: LocalHub, server: string, name: string): boolean {
  const start = toolName(DEFAULT_NAMING, hub.server(server), '').slice(0, SURE_LENGTH);
  return name.startsWith(start);
}

function hintFor(word: string, candidates: readonly string[]): { readonly hint?: string } {
  const meant = closestWord(word, candidates);
  return meant === undefined ? {} : { hint: `Did you mean ${meant}?` };
}
