import { randomUUID } from 'node:crypto';
import { textOf } from '../../call/content.ts';
import type { PromptExecuted } from '../../call/run-events.ts';
import { systemClock } from '../../clock.ts';
import type { Clock } from '../../clock.ts';
import { McpError, messageOf } from '../../errors.ts';
import { Session } from '../../session/session.ts';
import type { Prompt } from '../prompt.ts';
import type { RenderedPrompt } from '../rendered-prompt.ts';
import { setVisibility } from '../visibility.ts';
import type { AgentRunOptions } from './agent-run-options.ts';
import { AgentRun } from './agent-run.ts';
import type { Model, ModelMessage, ModelReply, ModelToolCall } from './model.ts';

export interface EvaluateOptions extends AgentRunOptions {
  /** What the user says to the prompt, if anything. */
  readonly input?: string;
  /** How often the model is asked at most, all runs together; 20 unless said. */
  readonly maxTurns?: number;
  /** When the work is given up, in milliseconds since 1970. */
  readonly deadline?: number;
}

/** A model's answer to a prompt, and what it took. */
export interface Evaluation {
  readonly text: string;
  readonly turns: number;
  readonly calls: number;
  /** How often the run began anew because sections were opened. */
  readonly restarts: number;
  readonly messages: readonly ModelMessage[];
  readonly rendered: RenderedPrompt;
}

const DEFAULT_MAX_TURNS = 20;

/** Asks a model until it answers, running the tools it calls; throws when turns or time are used up. */
export async function evaluate(prompt: Prompt, model: Model, options: EvaluateOptions): Promise<Evaluation> {
  const session = options.session ?? new Session();
  const clock = options.clock ?? systemClock;
  const work = new Work(model, { ...options, session }, clock);
  const startedAt = clock.monotonic();
  let error: string | undefined;
  try {
    return await work.run(prompt);
  } catch (thrown) {
    error = messageOf(thrown);
    throw thrown;
  } finally {
    work.end();
    const event: PromptExecuted = {
      type: 'prompt-executed',
      at: clock.now(),
      sessionId: session.id,
      ns: prompt.ns,
      key: prompt.key,
      turns: work.turns,
      calls: work.calls,
      durationMs: clock.monotonic() - startedAt,
      ...(error !== undefined && { error }),
    };
    session.dispatch(event);
  }
}

class Work {
  turns = 0;
  calls = 0;
  readonly #model: Model;
  readonly #options: EvaluateOptions & { readonly session: Session };
  readonly #over = new AbortController();
  readonly #aborted: Promise<never>;
  readonly #timer: { cancel(): void } | undefined;
  readonly #onAbort = (): void =>
    this.#over.abort(failed('the evaluation was cancelled', this.#options.signal?.reason));
  #restarts = 0;

  constructor(model: Model, options: EvaluateOptions & { readonly session: Session }, clock: Clock) {
    this.#model = model;
    this.#options = options;
    const { deadline, signal } = options;
    this.#aborted = whenAborted(this.#over.signal);
    if (deadline !== undefined) {
      this.#timer = clock.after(Math.max(0, deadline - clock.now()), () =>
        this.#over.abort(failed('the deadline of the evaluation has passed')),
      );
    }
    if (signal?.aborted) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  end(): void {
    this.#timer?.cancel();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  async run(prompt: Prompt): Promise<Evaluation> {
    const { session } = this.#options;
    for (;;) {
      this.#over.signal.throwIfAborted();
      await using run = await AgentRun.open(prompt, { ...this.#options, signal: this.#over.signal });
      const ended = await this.#converse(run);
      if (!run.expansion) return ended;
      for (const [path, visibility] of run.expansion.requestedOverrides) setVisibility(session, path, visibility);
      this.#restarts += 1;
    }
  }

  /** Until the model answers, or wants sections that only a new run can show. */
  async #converse(run: AgentRun): Promise<Evaluation> {
    const { input } = this.#options;
    const messages: ModelMessage[] = [{ role: 'system', text: run.text }];
    if (input !== undefined) messages.push({ role: 'user', text: input });
    for (;;) {
      const reply = await this.#ask(run, messages);
      if (!('toolCalls' in reply)) {
        messages.push({ role: 'assistant', text: reply.text });
        return this.#ended(run, messages, reply.text);
      }
      const toolCalls = reply.toolCalls.map((call) => ({ ...call, id: call.id ?? randomUUID() }));
      messages.push({ role: 'assistant', toolCalls, ...(reply.text !== undefined && { text: reply.text }) });
      for (const call of toolCalls) messages.push(await this.#call(run, call));
      if (run.expansion) return this.#ended(run, messages, '');
    }
  }

  async #ask(run: AgentRun, messages: readonly ModelMessage[]): Promise<ModelReply> {
    const { signal } = this.#over;
    signal.throwIfAborted();
    const { maxTurns = DEFAULT_MAX_TURNS } = this.#options;
    if (this.turns >= maxTurns) throw failed(`the model gave no answer within ${maxTurns} turns`);
    this.turns += 1;
    const tools = run.tools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    return await Promise.race([this.#model.respond({ messages: [...messages], tools, signal }), this.#aborted]);
  }

  async #call(run: AgentRun, call: ModelToolCall & { readonly id: string }): Promise<ModelMessage> {
    const { signal } = this.#over;
    signal.throwIfAborted();
    this.calls += 1;
    const { deadline } = this.#options;
    const report = await run.call(call.name, call.arguments, {
      signal,
      callId: call.id,
      ...(deadline !== undefined && { deadline }),
    });
    const { success, content, message } = report;
    const text = success ? textOf(content) : message;
    const isMore = content.some(({ type }) => type !== 'text');
    return { role: 'tool', callId: call.id, name: call.name, text, ...(isMore && { content }), isError: !success };
  }

  #ended(run: AgentRun, messages: readonly ModelMessage[], text: string): Evaluation {
    const { turns, calls } = this;
    return { text, turns, calls, restarts: this.#restarts, messages, rendered: run.rendered };
  }
}

function failed(message: string, cause?: unknown): McpError {
  return new McpError('PROMPT_EVALUATION_FAILED', message, { cause });
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  // It may happen when nobody waits.
  aborted.catch(() => undefined);
  return aborted;
}
