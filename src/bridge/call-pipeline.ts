import { isJsonObject } from '../call/json-object.ts';
import type { Mutable } from '../call/mutable.ts';
import type { Progress } from '../call/progress.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { CallToolResult, ToolResult } from '../call/tool-result.ts';
import { NEVER } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { CallRequest, Hub } from '../hub/hub.ts';
import { checkAdmitted } from '../policy/decide.ts';
import type { DecisionContext } from '../policy/decide.ts';
import { narrow } from '../policy/ruling.ts';
import type { Ruling } from '../policy/ruling.ts';
import { describeProblems } from '../tools/schema/describe-problems.ts';
import type { SchemaCheck, SchemaVerdict } from '../tools/schema/schema-check.ts';
import { askApproval } from './approval-step.ts';
import type { ApprovalStepOptions } from './approval-step.ts';
import type { CallEvents } from './call-events.ts';
import type { CallOptions } from './call-options.ts';
import type { CallPlan } from './call-plan.ts';
import type { CallEnd, CallRun } from './call-run.ts';
import { traceMeta } from './call-trace.ts';
import type { NameRuling } from './judge-by-name.ts';
import { hasAnswered, rulingInTime } from './policy-limit.ts';
import { runNative } from './run-native.ts';
import type { NestedLimits } from './run-native.ts';
import {
  cancelledBefore,
  denied,
  fromAnswer,
  fromError,
  invalidArguments,
  invalidOutput,
  succeededBut,
  tooLate,
} from './to-tool-result.ts';
import type { ToolContext } from './tool-context.ts';

export interface PipelineOptions {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly events: CallEvents;
  readonly approval: ApprovalStepOptions;
  /** What becomes of a result that breaks the promise of its tool's output schema. */
  readonly outputChecks: 'strict' | 'tolerant';
  readonly prompt: unknown;
  /** How a tool's handler calls other tools as part of its own call. */
  readonly callWithin: (run: CallRun, limits: NestedLimits) => ToolContext['call'];
}

type Refusal = ToolResult | undefined;

/** Why a call must not be made, the call that may be made in its place, or nothing against it. */
type Judgement = ToolResult | ToolCall | undefined;

type UsableSchema = Extract<SchemaCheck, { readonly kind: 'usable' }>;

// What is wrong with a secret says something about it.
const UNTOLD: SchemaVerdict = { valid: false, problems: [], more: 0 };

/** The one way of a call from its arguments to its result; never throws. */
export class CallPipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  async run(wanted: CallRun): Promise<CallEnd> {
    const { plan, scope } = wanted;
    let run = wanted;
    let result: ToolResult | undefined;
    let isCached = false;
    let thrown: unknown;
    try {
      const context = plan.policies.length + plan.observers.length > 0 ? this.#context(run) : undefined;
      const judged = this.#judge(run, context);
      // Most calls need no thinking, and save a turn.
      const judgement = judged instanceof Promise ? this.#afterThinking(run, await judged) : judged;
      if (judgement && 'outcome' in judgement) result = judgement;
      else {
        if (judgement) run = { ...run, call: judgement };
        const known = plan.caches.length > 0 ? this.#recall(run) : undefined;
        isCached = known !== undefined;
        result = known ?? this.#read(run, await this.#send(run));
        const settled = result.success ? this.#settle(run, result, context) : undefined;
        if (settled) result = (await settled) ?? result;
      }
    } catch (error) {
      thrown = error;
      result = fromError(error, plan.isHarmless);
    }
    // What was not committed is undone here, whatever happened.
    const closed = scope.close();
    if (closed) await closed;
    if (run === wanted && thrown === undefined) return { result, isCached };
    return {
      result,
      isCached: isCached && thrown === undefined,
      ...(run !== wanted && { approved: run.call }),
      ...(thrown !== undefined && { thrown }),
    };
  }

  /** What policies and people said counts for nothing if meanwhile nobody waits any more, or it is too late. */
  #afterThinking(run: CallRun, judgement: Judgement): Judgement {
    if (run.options.signal?.aborted) return cancelledBefore(run.call.tool);
    return judgement && 'outcome' in judgement ? judgement : (this.#whyTooLate(run) ?? judgement);
  }

  #whyTooLate({ call, options: { deadline } }: CallRun): Refusal {
    return deadline !== undefined && deadline <= this.#options.clock.now() ? tooLate(call.tool) : undefined;
  }

  /** Why the call must not be made, if it must not. */
  #judge(run: CallRun, known: DecisionContext | undefined): Judgement | Promise<Judgement> {
    const { plan, call, options } = run;
    if (options.signal?.aborted) return cancelledBefore(call.tool);
    const late = this.#whyTooLate(run);
    if (late) return late;
    if (plan.input.kind === 'usable') {
      const verdict = plan.input.check(call.arguments);
      if (!verdict.valid) return invalidArguments(call.tool, this.#describe(verdict, plan.input, call.arguments));
    }
    // Not every schema says so, and some cannot be used.
    if (!isJsonObject(call.arguments)) return invalidArguments(call.tool, 'expected an object');
    const { policies, admitted } = run.said ? stillToAsk(plan, run.said) : plan;
    if (policies.length === 0) return this.#obey(run, admitted);
    const ruling = checkAdmitted({ policies, call, context: known ?? this.#context(run) }, admitted);
    if (!(ruling instanceof Promise)) return this.#obey(run, ruling);
    return rulingInTime(ruling, this.#options.clock).then((settled) => this.#obey(run, settled));
  }

  #obey(run: CallRun, ruling: Ruling): Judgement | Promise<Judgement> {
    if (ruling.kind === 'allow') return undefined;
    return ruling.kind === 'deny' ? denied(ruling.reason) : askApproval(run, ruling, this.#options.approval);
  }

  #recall(run: CallRun): ToolResult | undefined {
    const context = this.#context(run);
    const { caches, definition } = run.plan;
    for (const { policy, scope } of caches) {
      const known = policy.recall?.(run.call, { ...context, scope, definition });
      if (known) return known;
    }
    return undefined;
  }

  #read({ plan, call }: CallRun, answer: CallToolResult): ToolResult {
    const problem = plan.output && !answer.isError ? this.#brokenPromise(plan.output, answer) : undefined;
    return problem === undefined ? fromAnswer(answer) : invalidOutput(call.tool, problem, answer);
  }

  /** Lets the policies take note, then commits; gives what went wrong with that. A promise only where one has to wait. */
  #settle(run: CallRun, result: ToolResult, context: DecisionContext | undefined): Refusal | Promise<Refusal> {
    const noted = context && run.plan.observers.length > 0 ? this.#takeNote(run, result, context) : undefined;
    if (noted) return noted.then((failure) => failure ?? this.#commit(run));
    return this.#commit(run);
  }

  #commit({ scope }: CallRun): Refusal | Promise<Refusal> {
    try {
      return scope.commit()?.then(() => undefined, unkept);
    } catch (error) {
      return unkept(error);
    }
  }

  #send(run: CallRun): Promise<CallToolResult> {
    const { plan, call, options } = run;
    const { tool } = plan;
    if (tool.source === 'mcp') return this.#options.hub.callTool(tool.server, tool.tool, this.#request(run));
    const { clock, prompt, events, callWithin } = this.#options;
    const { scope } = run;
    if (plan.isTracked && !options.isPart) events.started(call);
    return runNative(tool, {
      args: call.arguments,
      clock,
      timeoutMs: this.#timeLeft(run, options.timeoutMs ?? tool.timeoutMs),
      signal: options.signal,
      context: {
        callId: call.callId,
        session: scope.session,
        resources: scope,
        prompt,
        progress: (progress) => tell(options.onProgress, progress),
      },
      callWithin: (limits) => callWithin(run, limits),
    });
  }

  #request(run: CallRun): CallRequest {
    const { plan, call, options, span } = run;
    const { signal, onProgress, handlers, timeoutMs, deadline, trace } = options;
    const request: Mutable<CallRequest> = { arguments: call.arguments };
    if (signal) request.signal = signal;
    if (onProgress) request.onProgress = onProgress;
    if (handlers) request.handlers = handlers;
    if (plan.isTracked && !options.isPart) request.onSent = this.#options.events.onSent(call);
    const meta = span || trace ? traceMeta(span, trace) : undefined;
    if (meta) request.meta = meta;
    if (deadline !== undefined && plan.tool.source === 'mcp') {
      request.timeoutMs = this.#timeLeft(run, timeoutMs ?? this.#options.hub.server(plan.tool.server).timeoutMs);
      request.maxTotalMs = this.#timeLeft(run, Number.POSITIVE_INFINITY);
    } else if (timeoutMs !== undefined) request.timeoutMs = timeoutMs;
    return request;
  }

  #timeLeft({ options }: CallRun, timeoutMs: number): number {
    if (options.deadline === undefined) return timeoutMs;
    return Math.max(1, Math.min(timeoutMs, options.deadline - this.#options.clock.now()));
  }

  #brokenPromise(output: SchemaCheck, answer: CallToolResult): string | undefined {
    if (this.#options.outputChecks === 'tolerant' || output.kind !== 'usable') return undefined;
    if (answer.structuredContent === undefined) return 'it has no structured content';
    const verdict = output.check(answer.structuredContent);
    return verdict.valid ? undefined : this.#describe(verdict, output, answer.structuredContent);
  }

  /** Told of the value without its secrets: one that is cut to fit into a line would not be recognised any more. */
  #describe(verdict: SchemaVerdict, schema: UsableSchema, value: unknown): string {
    const masked = this.#options.hub.scrubber.scrubValue(value);
    const told = masked === value ? verdict : schema.check(masked);
    return describeProblems(told.valid ? UNTOLD : told);
  }

  /** Policies take note inside the transaction; if one cannot, the call has failed as far as the session goes. */
  #takeNote(run: CallRun, result: ToolResult, context: DecisionContext): Promise<Refusal> | undefined {
    const { plan, call, scope: callScope } = run;
    const { resources, now, signal } = context;
    const { session } = callScope;
    const { definition } = plan;
    let waiting: Promise<void>[] | undefined;
    try {
      for (const { policy, scope } of plan.observers) {
        const noted = policy.onResult?.(call, result, { scope, session, resources, now, signal, definition });
        if (noted) (waiting ??= []).push(noted);
      }
    } catch (error) {
      // Together with those that still wait, whose own failures would be nobody's.
      (waiting ??= []).push(Promise.reject(error));
    }
    return waiting && this.#whenNoted(Promise.all(waiting));
  }

  async #whenNoted(noted: Promise<unknown>): Promise<Refusal> {
    if (!(await hasAnswered(noted, this.#options.clock))) return unnoted('it gave no answer in time');
    return noted.then(() => undefined, unnoted);
  }

  #context({ scope, options }: CallRun): DecisionContext {
    return {
      session: scope.before,
      resources: scope,
      now: this.#options.clock.now(),
      signal: options.signal ?? NEVER,
    };
  }
}

/** What was said by name stands; a policy that counts is not asked twice. */
function stillToAsk({ policies, admitted }: CallPlan, said: NameRuling): Pick<CallPlan, 'policies' | 'admitted'> {
  return {
    policies: policies.filter((policy) => !said.answered.has(policy)),
    admitted: narrow(admitted, said.ruling),
  };
}

/** Whoever follows a call must not make it fail. */
function tell(listener: CallOptions['onProgress'], progress: Progress): void {
  try {
    listener?.(progress);
  } catch {
    // The tool goes on as if nobody listened.
  }
}

function unnoted(error: unknown): ToolResult {
  return succeededBut(`a policy failed to take note of it: ${messageOf(error)}`);
}

function unkept(error: unknown): ToolResult {
  return succeededBut(`what it changed here could not be kept: ${messageOf(error)}`);
}
