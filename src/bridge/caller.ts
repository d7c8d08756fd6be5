import { randomUUID } from 'node:crypto';
import type { Mutable } from '../call/mutable.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { JsonObject, ToolRef } from '../call/tool-ref.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Hub } from '../hub/hub.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import type { ResourceContainer } from '../session/resource-container.ts';
import { Session } from '../session/session.ts';
import type { ApprovalBroker } from './approval.ts';
import { CallEvents } from './call-events.ts';
import type { CallOptions, ToolAddress } from './call-options.ts';
import { CallPipeline } from './call-pipeline.ts';
import type { CallReport, Truncated } from './call-report.ts';
import type { CallEnd, CallRun } from './call-run.ts';
import { CallScope, groundWithin } from './call-scope.ts';
import type { CallGround } from './call-scope.ts';
import { traced, traceMeta } from './call-trace.ts';
import type { Span, Tracer } from './call-trace.ts';
import type { NameRuling } from './judge-by-name.ts';
import { meetTool } from './meet-tool.ts';
import type { NativeTool } from './native-tool.ts';
import type { NestedLimits } from './run-native.ts';
import { READ_RESULT, readResultTool } from './read-result-tool.ts';
import { DEFAULT_RESULT_CHARACTERS, limitContent, limitMessage } from './result-limit.ts';
import { ResultStore } from './result-store.ts';
import { toTool } from './tool.ts';
import type { Tool } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { ToolDirectory } from './tool-directory.ts';
import type { HeldBackTool } from './tool-directory.ts';
import type { TraceContext } from './trace-context.ts';
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
  /** What events call a tool; the name that an agent sees unless said. */
  readonly eventName?: (tool: ToolRef) => string;
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
  #readResult: NativeTool | undefined;

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
      tools: this.#withReading(tools),
      policies: options.policies ?? [],
      sectionPolicies: options.sectionPolicies ?? [],
      namedPolicies: options.namedPolicies ?? new Map(),
    });
    this.#events = new CallEvents({
      session,
      clock,
      scrubber: hub.scrubber,
      adapter: options.adapter ?? 'code',
      nameOf: options.eventName,
    });
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
      callWithin: (run, limits) => this.#callWithin(run, limits),
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

  /** Takes other native tools and section policies, as when a section is opened; results that were kept stay readable. */
  replace({ tools, sectionPolicies }: Required<Pick<CallerOptions, 'tools' | 'sectionPolicies'>>): void {
    this.#directory.replace({ tools: this.#withReading(tools), sectionPolicies });
  }

  /** What is held back from agents, and why. */
  quarantinedTools(): readonly HeldBackTool[] {
    return this.#directory.quarantined();
  }

  /** Runs one call through the whole pipeline and reports how it ended. */
  // oxlint-disable-next-line typescript/no-redundant-type-constituents -- a user's declarations fill ToolName in
  call<const Address extends ToolName | (string & Record<never, never>) | Exclude<ToolAddress, string>>(
    address: Address,
    ...rest: CallArguments<Address, CallOptions>
  ): Promise<CallReport<StructuredOf<Address>>>;
  call(address: ToolAddress, args: JsonObject = {}, options: CallOptions = {}): Promise<CallReport> {
    return this.#call({ address, args, options, ground: groundWithin(this.#ground, options.within) });
  }

  #withReading(tools: readonly NativeTool[]): readonly NativeTool[] {
    this.#readResult ??= readResultTool(this.#results, this.#resultCharacters);
    return [...tools, this.#readResult];
  }

  /** A call of one tool's handler: it commits and rolls back with the call it is part of, and ends no later. */
  #callWithin({ options: { trace }, scope, span }: CallRun, { signal, deadline }: NestedLimits): ToolContext['call'] {
    const around = traceMeta(span, trace) as TraceContext | undefined;
    return (address, args = {}, options = {}) =>
      this.#call({
        address,
        args,
        options: {
          ...(around && { trace: around }),
          ...options,
          signal: options.signal ? AbortSignal.any([signal, options.signal]) : signal,
          deadline: Math.min(options.deadline ?? deadline, deadline),
        },
        ground: scope.inside,
      });
  }

  async #call({ address, args, options, ground }: Wanted): Promise<CallReport> {
    const callId = options.callId ?? randomUUID();
    const startedAt = this.#clock.monotonic();
    const isInside = ground !== this.#ground;
    const known = this.#directory.find(address);
    const began = known || !this.#tracer ? undefined : this.#clock.now();
    let tool = known;
    let said: NameRuling | undefined;
    if (!tool) {
      const call = { callId, tool: this.#directory.standIn(address), arguments: args };
      const met = await meetTool(this.#directory, { address, call, options, ground, clock: this.#clock });
      if ('outcome' in met) {
        const end = { result: met, isCached: false };
        if (this.#tracer) await this.#trace(this.#tracer, { call, began, options }, () => Promise.resolve(end));
        return this.#report({
          call,
          end,
          startedAt,
          isTracked: this.#directory.isTracked(call.tool) && !options.isPart,
          isInside,
        });
      }
      ({ tool, said } = met);
    }
    const call = { callId, tool, arguments: args };
    const plan = this.#directory.planOf(tool);
    const scope = new CallScope(ground, plan.isReadOnly);
    const run = (span?: Span): Promise<CallEnd> => this.#pipeline.run({ plan, call, options, span, scope, said });
    const end = await (this.#tracer ? this.#trace(this.#tracer, { call, began, options }, run) : run());
    const isTracked = plan.isTracked && !options.isPart;
    return this.#report({ call, end, startedAt, isTracked, isInside });
  }

  #trace(
    tracer: Tracer,
    { call, began, options: { trace } }: Begun,
    run: (span?: Span) => Promise<CallEnd>,
  ): Promise<CallEnd> {
    const server = this.#hub.servers().find(({ name }) => name === call.tool.server);
    const { scrubber } = this.#hub;
    const traceable = {
      call,
      scrubber,
      sessionId: this.session.id,
      transport: server?.transport,
      startTime: began,
      trace,
    };
    return traced(tracer, traceable, run);
  }

  #report({ call, end, startedAt, isTracked, isInside }: Ended): CallReport {
    const durationMs = this.#clock.monotonic() - startedAt;
    // What failed is told to people and to logs; what succeeded is for whoever has called.
    const result = end.result.success ? end.result : this.#hub.scrubber.scrubValue(end.result);
    const { success, outcome, structuredContent } = result;
    const limited = limitContent(result.content, this.#resultCharacters, this.#results);
    const { content, truncated } = limited;
    const message = limitMessage(result.message, limited, this.#resultCharacters);
    const report: Mutable<CallReport> = { success, outcome, message, content, callId: call.callId, durationMs };
    if (structuredContent !== undefined) report.structuredContent = structuredContent;
    if (end.isCached) report.isCached = true;
    // A handler is no model: it works on the whole.
    if (isInside) report.content = result.content;
    else if (truncated) report.truncated = truncated;
    if (isTracked)
      this.#events.invoked(end.approved ?? call, truncated ? this.#shortened(end, truncated) : end, durationMs);
    return report;
  }

  /** Cut after the secrets are masked: half of one would not be recognised. */
  #shortened(end: CallEnd, { handle }: Truncated): CallEnd {
    const masked = this.#hub.scrubber.scrubValue(end.result.content);
    const limited = limitContent(masked, this.#resultCharacters, { keep: () => handle });
    const message = limitMessage(end.result.message, limited, this.#resultCharacters);
    return { ...end, result: { ...end.result, message, content: limited.content } };
  }
}

interface Wanted {
  readonly address: ToolAddress;
  readonly args: JsonObject;
  readonly options: CallOptions;
  readonly ground: CallGround;
}

interface Begun {
  readonly call: ToolCall;
  readonly options: CallOptions;
  /** When, if that was before the tool was known. */
  readonly began: number | undefined;
}

interface Ended {
  readonly call: ToolCall;
  readonly end: CallEnd;
  readonly startedAt: number;
  readonly isTracked: boolean;
  /** The call is part of another one. */
  readonly isInside: boolean;
}
