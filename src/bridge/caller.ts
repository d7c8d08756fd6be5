import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../call/tool-call.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Hub } from '../hub/hub.ts';
import type { QuarantinedSpec } from '../hub/registry.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import type { ResourceContainer } from '../session/resource-container.ts';
import { Session } from '../session/session.ts';
import type { ApprovalBroker } from './approval.ts';
import { CallEvents } from './call-events.ts';
import type { CallOptions, ToolAddress } from './call-options.ts';
import { CallPipeline } from './call-pipeline.ts';
import type { CallReport } from './call-report.ts';
import type { CallEnd, CallRun } from './call-run.ts';
import { CallScope } from './call-scope.ts';
import type { CallGround } from './call-scope.ts';
import { endSpan, startSpan } from './call-trace.ts';
import type { Tracer } from './call-trace.ts';
import type { NativeTool } from './native-tool.ts';
import { READ_RESULT, readResultTool } from './read-result-tool.ts';
import { DEFAULT_RESULT_CHARACTERS, limitContent } from './result-limit.ts';
import { ResultStore } from './result-store.ts';
import { toTool } from './tool.ts';
import type { Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { ToolDirectory } from './tool-directory.ts';
import type { CallArguments, StructuredOf, ToolName } from './tool-types.ts';

export interface CallerOptions {
  readonly hub: Hub;
  readonly session?: Session;
  /** Tools that are functions of ours, offered beside those of the servers. */
  readonly tools?: readonly NativeTool[];
  /** Decide on every call, whatever its tool. */
  readonly policies?: readonly ToolPolicy[];
  /** Decide on the tools of their section. */
  readonly sectionPolicies?: readonly BoundPolicy[];
  /** What the policy names of servers from a config file mean. */
  readonly namedPolicies?: ReadonlyMap<string, ToolPolicy>;
  /** Who is asked when a policy wants a yes; without one the answer is no. */
  readonly approval?: ApprovalBroker;
  /** How long a question stays open; two minutes by default. */
  readonly approvalMs?: number;
  /** What tools find in their context. */
  readonly resources?: ResourceContainer;
  /** `tolerant` lets a result through that breaks its tool's output schema. */
  readonly outputChecks?: 'strict' | 'tolerant';
  /** How much text of a result a model reads; the rest can be read on demand. */
  readonly resultCharacters?: number;
  /** OpenTelemetry's, for one span per call. */
  readonly tracer?: Tracer;
  /** Who calls, as events tell it. */
  readonly adapter?: string;
  /** What the agent works on, for the context of native tools. */
  readonly prompt?: unknown;
  readonly clock?: Clock;
}

const DEFAULT_APPROVAL_MS = 120_000;

/** Runs calls for one session: the only way from an agent, a gateway or a command to a tool. Never throws. */
export class Caller {
  readonly session: Session;
  readonly #clock: Clock;
  readonly #directory: ToolDirectory;
  readonly #pipeline: CallPipeline;
  readonly #events: CallEvents;
  readonly #results = new ResultStore();
  readonly #tracer: Tracer | undefined;
  readonly #resultCharacters: number;
  readonly #ground: CallGround;
  readonly #hub: Hub;

  constructor(options: CallerOptions) {
    const { hub, tools = [], clock = systemClock, session = new Session() } = options;
    this.#hub = hub;
    this.session = session;
    this.#clock = clock;
    this.#tracer = options.tracer;
    this.#resultCharacters = options.resultCharacters ?? DEFAULT_RESULT_CHARACTERS;
    this.#ground = { session, resources: options.resources };
    this.#directory = new ToolDirectory({
      hub,
      tools: [...tools, readResultTool(this.#results)],
      policies: options.policies ?? [],
      sectionPolicies: options.sectionPolicies ?? [],
      namedPolicies: options.namedPolicies ?? new Map(),
    });
    this.#events = new CallEvents({ session, clock, scrubber: hub.scrubber, adapter: options.adapter ?? 'code' });
    this.#pipeline = new CallPipeline({
      hub,
      clock,
      events: this.#events,
      outputChecks: options.outputChecks ?? 'strict',
      prompt: options.prompt,
      approval: {
        broker: options.approval,
        waitMs: options.approvalMs ?? DEFAULT_APPROVAL_MS,
        clock,
        principal: session.principal,
        events: this.#events,
      },
      callWithin: (run) => this.#callWithin(run),
    });
  }

  /** The tools an agent is offered; a handle keeps working across reconnects, restarts and list changes. */
  tools(): readonly Tool[] {
    return this.#directory
      .offered()
      .filter(({ name }) => name !== READ_RESULT || this.#results.isUsed)
      .map((tool) => toTool(this, tool, this.#directory.schemaReport(tool)));
  }

  /** A handle on one tool, whether or not its server has been started. */
  tool(address: ToolAddress): Tool | undefined {
    const tool = this.#directory.find(address);
    return tool && toTool(this, tool, this.#directory.schemaReport(tool));
  }

  /** What is held back from agents, and why. */
  quarantinedTools(): readonly QuarantinedSpec[] {
    return this.#directory.quarantined();
  }

  /** Runs one call through the whole pipeline and reports how it ended. */
  call<const Address extends ToolName | (string & {}) | Exclude<ToolAddress, string>>(
    address: Address,
    ...rest: CallArguments<Address, CallOptions>
  ): Promise<CallReport<StructuredOf<Address>>>;
  call(address: ToolAddress, args: JsonObject = {}, options: CallOptions = {}): Promise<CallReport> {
    return this.#call({ address, args, options, ground: this.#ground });
  }

  /** A call of one tool's handler: it commits and rolls back with the call it is part of, and ends no later. */
  #callWithin({ options: outer, scope }: CallRun): ToolContext['call'] {
    const { signal, deadline, trace } = outer;
    return (address, args = {}, options = {}) =>
      this.#call({
        address,
        args,
        options: {
          ...(signal && { signal }),
          ...(deadline !== undefined && { deadline }),
          ...(trace && { trace }),
          ...options,
        },
        ground: scope.inside,
      });
  }

  async #call({ address, args, options, ground }: Wanted): Promise<CallReport> {
    const callId = options.callId ?? randomUUID();
    const startedAt = this.#clock.monotonic();
    const tool = this.#directory.find(address) ?? (await this.#directory.discover(address, options));
    if ('outcome' in tool) {
      const call = { callId, tool: this.#directory.standIn(address), arguments: args };
      return this.#report({ call, end: { result: tool, isCached: false }, startedAt, isTracked: true });
    }
    const call = { callId, tool, arguments: args };
    const plan = this.#directory.planOf(tool);
    const span = this.#tracer && startSpan(this.#tracer, call, this.session.id);
    const end = await this.#pipeline.run({ plan, call, options, span, scope: new CallScope(ground, plan.isReadOnly) });
    if (span) endSpan(span, end.result.outcome, this.#hub.scrubber.scrub(end.result.message));
    return this.#report({ call, end, startedAt, isTracked: plan.isTracked });
  }

  #report({ call, end, startedAt, isTracked }: Ended): CallReport {
    const durationMs = this.#clock.monotonic() - startedAt;
    const { success, outcome, message, structuredContent } = end.result;
    const { content, truncated } = limitContent(end.result.content, this.#resultCharacters, this.#results);
    const report: Mutable<CallReport> = { success, outcome, message, content, callId: call.callId, durationMs };
    if (structuredContent !== undefined) report.structuredContent = structuredContent;
    if (end.isCached) report.isCached = true;
    if (truncated) report.truncated = truncated;
    if (isTracked)
      this.#events.invoked(call, truncated ? { ...end, result: { ...end.result, content } } : end, durationMs);
    return report;
  }
}

interface Wanted {
  readonly address: ToolAddress;
  readonly args: JsonObject;
  readonly options: CallOptions;
  readonly ground: CallGround;
}

interface Ended {
  readonly call: ToolCall;
  readonly end: CallEnd;
  readonly startedAt: number;
  readonly isTracked: boolean;
}

type Mutable<Type> = { -readonly [Field in keyof Type]: Type[Field] };
