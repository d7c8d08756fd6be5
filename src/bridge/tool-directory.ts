import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { McpServer } from '../config/server.ts';
import { McpError, McpToolError } from '../errors.ts';
import type { Hub } from '../hub/hub.ts';
import { admission } from '../policy/admission.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import type { QuarantinedSpec } from '../hub/registry.ts';
import { createToolSchemas } from '../tools/schema/tool-schemas.ts';
import type { ToolSchemas } from '../tools/schema/tool-schemas.ts';
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

/** Which tools there are for one caller, and how each is called. */
export class ToolDirectory {
  readonly #options: DirectoryOptions;
  readonly #schemas: ToolSchemas = createToolSchemas();
  readonly #native: ReadonlyMap<string, NativeTool>;
  /** The hub makes new specs whenever anything about its servers changes, so a plan never outlives what it says. */
  readonly #plans = new WeakMap<CallableTool, CallPlan>();
  readonly #nativePlans = new Map<NativeTool, { readonly plan: CallPlan; readonly basis: unknown }>();

  #bound: { readonly servers: readonly McpServer[]; readonly policies: readonly BoundPolicy[] } | undefined;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    this.#native = new Map(options.tools.toReversed().map((tool) => [tool.name, tool]));
  }

  /** What agents are offered: native tools first, then those of servers; what a policy refuses outright is left out. */
  offered(): readonly CallableTool[] {
    const policies = this.#policies();
    const mcp = this.#options.hub.tools().filter((spec) => !this.#native.has(spec.name));
    const native = this.#options.tools.filter((tool) => this.#native.get(tool.name) === tool);
    return [...native, ...mcp].filter((tool) => admission(policies, tool).kind !== 'deny');
  }

  /** What is held back and why, collisions with native tools included. */
  quarantined(): readonly QuarantinedSpec[] {
    const { hub } = this.#options;
    const taken = hub.tools().filter((spec) => this.#native.has(spec.name));
    return [
      ...hub.quarantinedTools(),
      ...taken.map(({ server, tool, name }) => ({ server, tool, reason: `its name ${name} belongs to a native tool` })),
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

  /** What events say of a tool that could not be found. */
  standIn(address: ToolAddress): ToolRef {
    const common = { source: 'mcp', trust: 'untrusted' } as const;
    if (typeof address === 'string') return { ...common, name: address, tool: address };
    return { ...common, ...address, name: this.#options.hub.toolName(address.server, address.tool) };
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
    const isTracked = this.#options.hub.server(spec.server).trackInvocations;
    const plan = planCall(spec, this.#policies(), { schemas: this.#schemas, isTracked });
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
    const { hub, tools, policies, sectionPolicies, namedPolicies } = this.#options;
    const servers = hub.servers();
    const known = this.#bound;
    if (known && isSameList(known.servers, servers)) return known.policies;
    const bound = bindPolicies({ servers, tools, sections: sectionPolicies, template: policies, named: namedPolicies });
    this.#bound = { servers, policies: bound };
    return bound;
  }
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
