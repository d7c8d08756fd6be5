import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { McpServer } from '../config/server.ts';
import { McpError, McpToolError } from '../errors.ts';
import type { Hub } from '../hub/hub.ts';
import { admission } from '../policy/admission.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import { createToolSchemas } from '../tools/schema/tool-schemas.ts';
import type { ToolSchemas } from '../tools/schema/tool-schemas.ts';
import type { QuarantinedTool } from '../tools/tool-definition.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import { bindPolicies } from './bound-policies.ts';
import type { ToolAddress, CallOptions } from './call-options.ts';
import { planCall } from './call-plan.ts';
import type { CallableTool, CallPlan } from './call-plan.ts';
import type { NativeTool } from './native-tool.ts';
import { fromError } from './to-tool-result.ts';

export interface DirectoryOptions {
  readonly hub: Hub;
  readonly tools: readonly NativeTool[];
  readonly policies: readonly ToolPolicy[];
  readonly sectionPolicies: readonly BoundPolicy[];
  readonly namedPolicies: ReadonlyMap<string, ToolPolicy>;
}

/** A tool that no agent is offered, and why; without a server it is a native one. */
export interface HeldBackTool extends QuarantinedTool {
  readonly server?: string;
}

/** Which tools there are for one caller, and how each is called. */
export class ToolDirectory {
  readonly #schemas: ToolSchemas = createToolSchemas();
  #options: DirectoryOptions;
  #native: ReadonlyMap<string, NativeTool>;
  /** The hub makes new specs whenever anything about its servers changes, so a plan never outlives what it says. */
  #plans = new WeakMap<CallableTool, CallPlan>();
  readonly #nativePlans = new Map<NativeTool, { readonly plan: CallPlan; readonly basis: unknown }>();

  #bound: { readonly servers: readonly McpServer[]; readonly policies: readonly BoundPolicy[] } | undefined;

  constructor(options: DirectoryOptions) {
    // One object that is given twice is one tool.
    this.#options = { ...options, tools: [...new Set(options.tools)] };
    this.#native = byName(options.tools);
  }

  /** Takes other native tools and section policies; calls in flight go on by what was planned for them. */
  replace({ tools, sectionPolicies }: Pick<DirectoryOptions, 'tools' | 'sectionPolicies'>): void {
    this.#options = { ...this.#options, tools: [...new Set(tools)], sectionPolicies };
    this.#native = byName(tools);
    this.#plans = new WeakMap();
    this.#nativePlans.clear();
    this.#bound = undefined;
  }

  /** What agents are offered: native tools first, then those of servers; what a policy refuses outright is left out. */
  offered(): readonly CallableTool[] {
    const policies = this.#policies();
    const mcp = this.#options.hub.tools().filter((spec) => !this.#native.has(spec.name));
    const native = this.#options.tools.filter((tool) => this.#offersNative(tool));
    return [...native, ...mcp].filter((tool) => admission(policies, tool).kind !== 'deny');
  }

  /** What is held back and why, collisions with native tools and among them included. */
  quarantined(): readonly HeldBackTool[] {
    const { hub } = this.#options;
    const taken = hub.tools().filter((spec) => this.#native.has(spec.name));
    return [
      ...hub.quarantinedTools(),
      ...taken.map(({ server, tool, name }) => ({ server, tool, reason: `its name ${name} belongs to a native tool` })),
      ...this.#options.tools
        .filter((tool) => !this.#offersNative(tool))
        .map(({ name }) => ({ tool: name, reason: `its name ${name} already belongs to another native tool` })),
    ];
  }

  /** What was lost of a tool's schemas: on the way here, and because it cannot be enforced. */
  schemaReport(tool: CallableTool): readonly string[] {
    return [...tool.schemaReport, ...this.#schemas.report(tool)];
  }

  find(address: ToolAddress): CallableTool | undefined {
    if (typeof address === 'string') return this.#native.get(address) ?? this.#options.hub.findTool(address);
    const { hub } = this.#options;
    const spec = hub.findTool(hub.toolName(address.server, address.tool));
    return spec?.server === address.server && spec.tool === address.tool ? spec : undefined;
  }

  /** Starts the servers that may have the tool and are not known yet; gives the tool, or why there is none. */
  async discover(address: ToolAddress, { signal, timeoutMs }: CallOptions): Promise<CallableTool | ToolResult> {
    const { hub } = this.#options;
    const servers = typeof address === 'string' ? hub.mayHave(address) : [address.server];
    const options = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
    const woken = await Promise.allSettled(servers.map((server) => hub.wake(server, options)));
    const tool = this.find(address);
    if (tool) return tool;
    const failed = woken.find((each) => each.status === 'rejected');
    return failed ? fromError(failed.reason, true) : fromError(this.#missing(address), true);
  }

  /** What can be said of a tool that is not known: nothing of what its server would say. */
  standIn(address: ToolAddress): ToolRef {
    if (typeof address === 'string') return { name: address, tool: address, source: 'mcp', trust: 'untrusted' };
    const { server, tool } = address;
    const trust = this.#declared(server)?.trust ?? 'untrusted';
    return { name: this.#options.hub.toolName(server, tool), server, tool, source: 'mcp', trust };
  }

  /** Whether events tell of calls of a tool that is not known. */
  isTracked({ server }: ToolRef): boolean {
    return this.#declared(server)?.trackInvocations ?? true;
  }

  /** Every policy that may have to do with a tool that is not known; of a server that is not, nothing can be said. */
  policiesOn({ server }: ToolRef): readonly BoundPolicy[] {
    return this.#declared(server) ? this.#policies() : [];
  }

  #missing(address: ToolAddress): McpError {
    const { hub } = this.#options;
    const name = typeof address === 'string' ? address : hub.toolName(address.server, address.tool);
    const held = hub.quarantinedTools().find(({ server, tool }) => hub.toolName(server, tool) === name);
    if (held) {
      const { server, tool, reason } = held;
      const message = `${server}: ${tool} is quarantined: ${reason}`;
      return new McpToolError({ code: 'TOOL_QUARANTINED', server, tool, message });
    }
    if (typeof address === 'string') {
      return new McpError('TOOL_UNKNOWN', `no tool is called '${name}'; list the tools to see the names`);
    }
    const message = `${address.server} has no tool called '${address.tool}'`;
    return new McpToolError({ code: 'TOOL_UNKNOWN', ...address, message });
  }

  planOf(tool: CallableTool): CallPlan {
    return tool.source === 'mcp' ? this.#planOfSpec(tool) : this.#planOfNative(tool);
  }

  #planOfSpec(spec: ToolSpec): CallPlan {
    const known = this.#plans.get(spec);
    if (known) return known;
    const server = this.#options.hub.server(spec.server);
    const isTracked = server.trackInvocations;
    const plan = planCall(spec, this.#policies(), { schemas: this.#schemas, isTracked, server });
    this.#plans.set(spec, plan);
    return plan;
  }

  /** A native tool outlives changes of the servers, whose policies may watch it. */
  #planOfNative(tool: NativeTool): CallPlan {
    const policies = this.#policies();
    const known = this.#nativePlans.get(tool);
    if (known?.basis === policies) return known.plan;
    const plan = planCall(tool, policies, { schemas: this.#schemas, isTracked: true });
    this.#nativePlans.set(tool, { plan, basis: policies });
    return plan;
  }

  #policies(): readonly BoundPolicy[] {
    const { hub, policies, sectionPolicies, namedPolicies } = this.#options;
    const servers = hub.servers();
    const known = this.#bound;
    if (known && isSameList(known.servers, servers)) return known.policies;
    const tools = this.#options.tools.filter((tool) => this.#offersNative(tool));
    const bound = bindPolicies({ servers, tools, sections: sectionPolicies, template: policies, named: namedPolicies });
    this.#bound = { servers, policies: bound };
    return bound;
  }

  #declared(server: string | undefined): McpServer | undefined {
    return this.#options.hub.servers().find(({ name }) => name === server);
  }

  #offersNative(tool: NativeTool): boolean {
    return this.#native.get(tool.name) === tool;
  }
}

/** Of two tools with one name the first is meant. */
function byName(tools: readonly NativeTool[]): ReadonlyMap<string, NativeTool> {
  return new Map(tools.toReversed().map((tool) => [tool.name, tool]));
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
