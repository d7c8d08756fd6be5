import { canonicalJson } from '../call/canonical-json.ts';
import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { McpError } from '../errors.ts';
import { BoundedCache } from './bounded-cache.ts';
import { parseToolPatterns } from './parse-tool-pattern.ts';
import { coversTool } from './policy-reach.ts';
import { matchesCall } from './tool-pattern.ts';
import type { ToolPattern } from './tool-pattern.ts';
import type { PolicyContext, ToolPolicy } from './tool-policy.ts';

export interface ResultCacheOptions {
  readonly name?: string;
  /** For how long an answer is good. */
  readonly ttlMs: number;
  /** Whose answers are kept; those of every read-only tool unless said. */
  readonly tools?: readonly string[];
  /** 500 unless said. */
  readonly maxEntries?: number;
  /** 16 MB unless said. */
  readonly maxBytes?: number;
}

/** The same arguments to a read-only tool give the same answer for a while, to everyone of one principal. */
export class ResultCachePolicy implements ToolPolicy {
  readonly name: string;
  readonly #ttlMs: number;
  readonly #tools: readonly ToolPattern[] | undefined;
  readonly #answers: BoundedCache;
  readonly #changes = new Map<string, number>();
  readonly #natives = new WeakMap<ToolRef, number>();
  readonly #count = { natives: 0 };
  /** How often its server had changed when a call that runs was sent. */
  readonly #changesAtStart = new Map<string, number>();

  constructor(options: ResultCacheOptions) {
    const { name = 'result-cache', ttlMs, tools, maxEntries = 500, maxBytes = 16_000_000 } = options;
    for (const [field, value] of Object.entries({ ttlMs, maxEntries, maxBytes })) requirePositive(name, field, value);
    this.name = name;
    this.#ttlMs = ttlMs;
    this.#tools = tools && parseToolPatterns(tools);
    this.#answers = new BoundedCache({ maxEntries, maxBytes });
    Object.freeze(this);
  }

  recall(call: ToolCall, context: PolicyContext): ToolResult | undefined {
    // Whether it will succeed or not: from now on an earlier answer may be wrong.
    if (!isReadOnly(call.tool)) this.#forget(call.tool, context);
    if (!this.#isKept(call, context)) return undefined;
    const key = this.#keyOf(call, context);
    const answer = this.#answers.get(key);
    const age = context.now - (answer?.at ?? 0);
    if (answer && age >= 0 && age < this.#ttlMs) return JSON.parse(answer.text) as ToolResult;
    this.#answers.delete(key);
    this.#noteStart(call, context);
    return undefined;
  }

  onResult(call: ToolCall, result: ToolResult, context: PolicyContext): void {
    if (!isReadOnly(call.tool)) this.#forget(call.tool, context);
    if (!this.#isKept(call, context)) return;
    const group = groupOf(call.tool, context);
    const isCurrent = this.#changesAtStart.get(call.callId) === (this.#changes.get(group) ?? 0);
    this.#changesAtStart.delete(call.callId);
    if (!isCurrent || !result.success) return;
    const text = toText(result);
    if (text !== undefined) this.#answers.set({ key: this.#keyOf(call, context), group, text, at: context.now });
  }

  #isKept(call: ToolCall, { scope }: PolicyContext): boolean {
    const { tool } = call;
    if (tool.annotations?.readOnlyHint !== true || !isTrusted(tool) || !coversTool(scope, tool)) return false;
    return this.#tools === undefined || this.#tools.some((pattern) => matchesCall(pattern, call, scope));
  }

  #keyOf({ tool, arguments: given }: ToolCall, { session, definition = '' }: PolicyContext): string {
    const whose = tool.server ?? this.#numberOf(tool);
    return JSON.stringify([session.principal, definition, whose, tool.tool, canonicalJson(given)]);
  }

  /** Two native tools of one name are two functions. */
  #numberOf(tool: ToolRef): number {
    const known = this.#natives.get(tool);
    if (known !== undefined) return known;
    this.#count.natives += 1;
    this.#natives.set(tool, this.#count.natives);
    return this.#count.natives;
  }

  #forget(tool: ToolRef, context: PolicyContext): void {
    const group = groupOf(tool, context);
    this.#changes.set(group, (this.#changes.get(group) ?? 0) + 1);
    this.#answers.deleteGroup(group);
  }

  #noteStart({ callId, tool }: ToolCall, context: PolicyContext): void {
    this.#changesAtStart.set(callId, this.#changes.get(groupOf(tool, context)) ?? 0);
    // Calls that failed never come back.
    for (const oldest of this.#changesAtStart.keys()) {
      if (this.#changesAtStart.size <= MAX_RUNNING) return;
      this.#changesAtStart.delete(oldest);
    }
  }
}

const MAX_RUNNING = 1000;

function isReadOnly({ annotations }: ToolRef): boolean {
  return annotations?.readOnlyHint === true;
}

function isTrusted({ source, trust }: ToolRef): boolean {
  return source === 'native' || trust === 'trusted';
}

/** Servers that share a connection change together, whatever they are called; native tools are taken for one server. */
function groupOf({ server = '' }: ToolRef, { definition = server }: PolicyContext): string {
  return definition;
}

/** As text, one session cannot change what another will get; what JSON cannot say is not kept. */
function toText(result: ToolResult): string | undefined {
  try {
    return JSON.stringify(result);
  } catch {
    return undefined;
  }
}

function requirePositive(name: string, field: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new McpError('CONFIG_INVALID', `policy '${name}': ${field} must be positive, not ${String(value)}`);
}
