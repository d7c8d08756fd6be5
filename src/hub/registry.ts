import type { McpServer } from '../config/server.ts';
import type { Catalog } from '../connection/catalog.ts';
import type { QuarantinedTool, ToolDefinition } from '../tools/tool-definition.ts';
import { isOffered } from '../tools/tool-filter.ts';
import { toolName } from '../tools/tool-name.ts';
import type { NamingStyle } from '../tools/tool-name.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';

/** One server's share of the registry; servers come in the order in which they were declared. */
export interface RegistrySource {
  readonly server: McpServer;
  readonly catalog: Catalog;
}

/** All tools of a view: what agents are offered, and what is held back and why. */
export interface Registry {
  readonly offered: ReadonlyMap<string, ToolSpec>;
  /** The same tools by server and the server's own name for them. */
  readonly byServer: ReadonlyMap<string, ReadonlyMap<string, ToolSpec>>;
  readonly quarantined: readonly QuarantinedSpec[];
}

/** A tool that its server has but that no agent is offered. */
export interface QuarantinedSpec extends QuarantinedTool {
  readonly server: string;
}

export const EMPTY_REGISTRY: Registry = { offered: new Map(), byServer: new Map(), quarantined: [] };

/** Names every tool; when two tools get one name, the one declared later is held back. */
export function buildRegistry(sources: readonly RegistrySource[], style: NamingStyle): Registry {
  const offered = new Map<string, ToolSpec>();
  const byServer = new Map<string, ReadonlyMap<string, ToolSpec>>();
  const quarantined: QuarantinedSpec[] = [];
  for (const { server, catalog } of sources) {
    const own = new Map<string, ToolSpec>();
    byServer.set(server.name, own);
    for (const tool of catalog.quarantined) quarantined.push({ ...tool, server: server.name });
    for (const definition of catalog.tools) {
      if (!isOffered(server, definition.tool)) continue;
      const spec = toSpec(server, definition, style);
      const first = offered.get(spec.name);
      if (first) {
        quarantined.push(collision(spec, first));
        continue;
      }
      offered.set(spec.name, spec);
      own.set(spec.tool, spec);
    }
  }
  return { offered, byServer, quarantined };
}

/** What agents gain and lose between two registries, per server. */
export function registryChanges(before: Registry, after: Registry): readonly ToolsChange[] {
  const changes = new Map<string, { added: string[]; removed: string[]; changed: string[] }>();
  const changeOf = (spec: ToolSpec): { added: string[]; removed: string[]; changed: string[] } => {
    const change = changes.get(spec.server) ?? { added: [], removed: [], changed: [] };
    changes.set(spec.server, change);
    return change;
  };
  for (const [name, spec] of after.offered) {
    const old = before.offered.get(name);
    if (old?.server !== spec.server) changeOf(spec).added.push(name);
    else if (!isSameSpec(old, spec)) changeOf(spec).changed.push(name);
  }
  for (const [name, spec] of before.offered) {
    if (after.offered.get(name)?.server !== spec.server) changeOf(spec).removed.push(name);
  }
  return [...changes].map(([server, change]) => ({ server, ...change }));
}

export interface ToolsChange {
  readonly server: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

function toSpec(server: McpServer, definition: ToolDefinition, style: NamingStyle): ToolSpec {
  return {
    ...definition,
    name: toolName(style, server, definition.tool),
    server: server.name,
    source: 'mcp',
    trust: server.trust,
  };
}

function collision(spec: ToolSpec, first: ToolSpec): QuarantinedSpec {
  const reason = `its name ${spec.name} already belongs to ${first.server}/${first.tool}`;
  return { server: spec.server, tool: spec.tool, reason };
}

/** What was not listed again is the same object, so that most specs need no closer look. */
function isSameSpec(left: ToolSpec, right: ToolSpec): boolean {
  const fields = Object.entries(left);
  const isSame =
    fields.length === Object.keys(right).length &&
    fields.every(([key, value]) => right[key as keyof ToolSpec] === value);
  return isSame || JSON.stringify(left) === JSON.stringify(right);
}
