import type { CallToolResult, ToolResult } from '../call/tool-result.ts';
import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { CallRequest, Hub } from '../hub/hub.ts';
import { checkAdmitted } from '../policy/decide.ts';
import type { DecisionContext } from '../policy/decide.ts';
import type { Ruling } from '../policy/ruling.ts';
import { describeProblems } from '../tools/schema/describe-problems.ts';
import type { SchemaCheck } from '../tools/schema/schema-check.ts';
import { askApproval } from './approval-step.ts';
import type { ApprovalStepOptions } from './approval-step.ts';
import type { CallEvents } from './call-events.ts';
import type { CallEnd, CallRun } from './call-run.ts';
import { traceMeta } from './call-trace.ts';
import { runNative } from './run-native.ts';
import {
  cancelledBefore,
  denied,
  fromAnswer,
  fromError,
  invalidArguments,
  invalidOutput,
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
  readonly callWithin: (run: CallRun) => ToolContext['call'];
}

type Refusal = ToolResult | undefined;

const NEVER = new AbortController().signal;

/** The one way of a call from its arguments to its result; never throws. */
export class CallPipeline {
  readonly #options: PipelineOptions;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  async run(run: CallRun): Promise<CallEnd> {
    const { plan, scope } = run;
    let result: ToolResult;
    try {
      const judged = this.#judge(run);
      // Most calls need no thinking, and save a turn.
      const refusal = judged instanceof Promise ? await judged : judged;
      if (refusal) return { result: refusal, isCached: false };
      const known = plan.caches.length > 0 ? this.#recall(run) : undefined;
      if (known) return { result: known, isCached: true };
      this.#options.events.started(run.call);
      result = this.#read(run, await this.#send(run));
      const settled = result.success ? this.#settle(run, result) : undefined;
      if (settled) result = (await settled) ?? result;
    } catch (error) {
      result = fromError(error, plan.isHarmless);
    }
    // What was not committed is undone here, whatever happened.
    const closed = scope.close();
    if (closed) await closed;
    return { result, isCached: false };
  }

  /** Why the call must not be made, if it must not. */
  #judge(run: CallRun): Refusal | Promise<Refusal> {
    const { plan, call, options } = run;
    if (options.signal?.aborted) return cancelledBefore(call.tool);
    if (options.deadline !== undefined && options.deadline <= this.#options.clock.now()) return tooLate(call.tool);
    if (plan.input.kind === 'usable') {
      const verdict = plan.input.check(call.arguments);
      if (!verdict.valid) return invalidArguments(call.tool, describeProblems(verdict));
    }
    const { policies, admitted } = plan;
    if (policies.length === 0) return this.#obey(run, admitted);
    const ruling = checkAdmitted({ policies, call, context: this.#context(run) }, admitted);
    return ruling instanceof Promise ? ruling.then((settled) => this.#obey(run, settled)) : this.#obey(run, ruling);
  }

  #obey(run: CallRun, ruling: Ruling): Refusal | Promise<Refusal> {
    if (ruling.kind === 'allow') return undefined;
    return ruling.kind === 'deny' ? denied(ruling.reason) : askApproval(run, ruling, this.#options.approval);
  }

  #recall(run: CallRun): ToolResult | undefined {
    const context = this.#context(run);
    for (const { policy, scope } of run.plan.caches) {
      const known = policy.recall?.(run.call, { ...context, scope });
      if (known) return known;
    }
    return undefined;
  }

  #read({ plan, call }: CallRun, answer: CallToolResult): ToolResult {
    const problem = plan.output && !answer.isError ? this.#brokenPromise(plan.output, answer) : undefined;
    return problem === undefined ? fromAnswer(answer) : invalidOutput(call.tool, problem, answer.content);
  }

  /** Lets the policies take note, then commits; gives what went wrong with that. A promise only where one has to wait. */
  #settle(run: CallRun, result: ToolResult): void | Promise<Refusal> {
    const noted = run.plan.observers.length > 0 ? this.#takeNote(run, result) : undefined;
    if (noted) return noted.then((failure) => failure ?? this.#commit(run));
    const committed = run.scope.commit();
    return committed?.then(() => undefined);
  }

  async #commit({ scope }: CallRun): Promise<undefined> {
    await scope.commit();
  }

  #send(run: CallRun): Promise<CallToolResult> {
    const { plan, call, options } = run;
    const { tool } = plan;
    if (tool.source === 'mcp') return this.#options.hub.callTool(tool.server, tool.tool, this.#request(run));
    const { clock, prompt } = this.#options;
    const { scope } = run;
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
        progress: (progress) => options.onProgress?.(progress),
        call: this.#options.callWithin(run),
      },
    });
  }

  #request(run: CallRun): CallRequest {
    const { plan, call, options, span } = run;
    const { signal, onProgress, handlers, timeoutMs, deadline, trace } = options;
    const request: { -readonly [Field in keyof CallRequest]: CallRequest[Field] } = { arguments: call.arguments };
    if (signal) request.signal = signal;
    if (onProgress) request.onProgress = onProgress;
    if (handlers) request.handlers = handlers;
    const meta = span || trace ? traceMeta(span, trace) : undefined;
    if (meta) request.meta = meta;
    if (deadline !== undefined && plan.tool.source === 'mcp') {
      request.timeoutMs = this.#timeLeft(run, timeoutMs ?? this.#options.hub.server(plan.tool.server).timeoutMs);
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
    return verdict.valid ? undefined : describeProblems(verdict);
  }

  /** Policies take note inside the transaction; if one cannot, the call has failed as far as the session goes. */
  #takeNote(run: CallRun, result: ToolResult): Promise<Refusal> | undefined {
    const { plan, call, scope: callScope } = run;
    const { resources, now, signal } = this.#context(run);
    const { session } = callScope;
    let waiting: Promise<void>[] | undefined;
    try {
      for (const { policy, scope } of plan.observers) {
        const noted = policy.onResult?.(call, result, { scope, session, resources, now, signal });
        if (noted) (waiting ??= []).push(noted);
      }
    } catch (error) {
      return Promise.resolve(unnoted(error));
    }
    return waiting && Promise.all(waiting).then(() => undefined, unnoted);
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

function unnoted(error: unknown): ToolResult {
  const message = `The call was made and succeeded, but a policy failed to take note of it: ${messageOf(error)}`;
  return { success: false, outcome: 'tool-error', message, content: [{ type: 'text', text: message }] };
}
