import type { ToolAddress } from '../bridge/call-options.ts';
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

/** How a tool is looked for. */
export interface TargetSearch {
  /** A server and its tool, or one name as agents see it. */
  readonly address: readonly string[];
  readonly signal: AbortSignal;
  /** A tool that no call may reach needs no connection. */
  readonly isRefused: (tool: ToolSpec) => boolean;
}

/** Connects what a call needs and looks its tool up; throws if the server cannot be connected. */
export async function findTarget(hub: LocalHub, search: TargetSearch): Promise<CallTarget> {
  const [first = '', tool] = search.address;
  const servers = hub.status().map(({ name }) => name);
  if (tool === undefined) return findByName(hub, { ...search, name: first, servers });
  const target = { server: first, tool };
  if (!servers.includes(first)) return { tool: target, spec: undefined, ...hintFor(first, servers) };
  const remembered = hub.tools(first).find((each) => each.tool === tool);
  if (remembered && search.isRefused(remembered)) return { tool: target, spec: remembered };
  if (hub.serverStatus(first).phase === 'disabled') return { tool: target, spec: undefined, hint: switchedOff(first) };
  await connectIfEnabled(hub, first, search.signal);
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

interface NameSearch extends TargetSearch {
  readonly name: string;
  readonly servers: readonly string[];
}

/** A name says which servers it may belong to, never which one it does: only their lists tell. */
async function findByName(hub: LocalHub, { name, servers, signal, isRefused }: NameSearch): Promise<CallTarget> {
  if (servers.includes(name)) throw new UsageError(`call needs TOOL: call ${name} TOOL`, 'call');
  const remembered = hub.findTool(name);
  if (remembered && isRefused(remembered)) return { tool: name, spec: remembered };
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

function switchedOff(server: string): string {
  return `The config switches ${server} off: take \`enabled: false\` (in .mcp.json \`disabled: true\`) from it.`;
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
