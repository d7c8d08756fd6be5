import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import { McpError } from '../errors.ts';
import type { SessionScope } from '../session/session-scope.ts';
import { defineSlice } from '../session/slice.ts';
import type { Slice } from '../session/slice.ts';
import { ALLOW, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import { parseToolPatterns } from './parse-tool-pattern.ts';
import { scopeKey } from './policy-reach.ts';
import { slideWindow } from './sliding-window.ts';
import type { WindowLimit } from './sliding-window.ts';
import { matchesCall } from './tool-pattern.ts';
import type { ToolPattern } from './tool-pattern.ts';
import type { PolicyContext, ToolPolicy } from './tool-policy.ts';

export interface RateLimitOptions extends WindowLimit {
  readonly name?: string;
  /** What has a limit of its own: each server, which is the default, or each tool. */
  readonly per?: 'server' | 'tool';
  /** Which tools are limited; all unless said. */
  readonly tools?: readonly string[];
  /** One limit for all sessions together instead of one for each. */
  readonly shared?: boolean;
}

/** So many calls in a window of time; one more is denied with the time to wait. */
export class RateLimitPolicy implements ToolPolicy {
  readonly name: string;
  readonly #limit: WindowLimit;
  readonly #per: 'server' | 'tool';
  readonly #tools: readonly ToolPattern[] | undefined;
  readonly #shared: Map<string, readonly number[]> | undefined;
  readonly #counted: Slice<CountedCalls>;

  constructor(options: RateLimitOptions) {
    this.name = options.name ?? 'rate-limit';
    this.#limit = parseLimit(this.name, options);
    this.#per = options.per ?? 'server';
    this.#tools = options.tools && parseToolPatterns(options.tools);
    this.#shared = options.shared ? new Map() : undefined;
    this.#counted = defineSlice({ name: `policy/${this.name}`, kind: 'log' });
    Object.freeze(this);
  }

  /** Counts at once what it lets through, so that calls at the same moment cannot all take the last place. */
  check(call: ToolCall, { scope, session, now }: PolicyContext): Decision {
    if (this.#tools && !this.#tools.some((pattern) => matchesCall(pattern, call, scope))) return ALLOW;
    const subject = this.#subject(call.tool);
    const key = `${scopeKey(scope)}: ${subject}`;
    const answer = slideWindow(this.#timesOf(key, session), now, this.#limit);
    if (answer.isFree) {
      this.#remember({ key, times: answer.times }, session, now);
      return ALLOW;
    }
    const { calls, windowMs } = this.#limit;
    const limit = `${calls} ${calls === 1 ? 'call' : 'calls'} in ${inSeconds(windowMs)}`;
    return deny(`Rate limit for ${subject}: ${limit}; try again in ${inSeconds(answer.waitMs)}`);
  }

  #subject({ server, tool, name }: ToolRef): string {
    if (this.#per === 'tool') return server === undefined ? `tool '${name}'` : `tool '${server}/${tool}'`;
    return server === undefined ? 'native tools' : `server '${server}'`;
  }

  #timesOf(key: string, session: SessionScope): readonly number[] {
    if (this.#shared) return this.#shared.get(key) ?? [];
    const [counted] = session.slice(this.#counted).where((item) => item.key === key);
    return counted?.times ?? [];
  }

  #remember(counted: CountedCalls, session: SessionScope, now: number): void {
    if (!this.#shared) {
      session.slice(this.#counted).upsert(counted, (item) => item.key === counted.key);
      return;
    }
    this.#shared.set(counted.key, counted.times);
    if (this.#shared.size <= MAX_QUIET_KEYS) return;
    for (const [key, times] of this.#shared) {
      if (now - (times.at(-1) ?? 0) >= this.#limit.windowMs) this.#shared.delete(key);
    }
  }
}

// Tools come and go in a long-running process; those that nobody calls are forgotten beyond this many.
const MAX_QUIET_KEYS = 1000;

/** When calls of one server or tool were let through; never more times than the limit allows. */
interface CountedCalls {
  readonly key: string;
  readonly times: readonly number[];
}

function parseLimit(name: string, { calls, windowMs }: WindowLimit): WindowLimit {
  if (!Number.isSafeInteger(calls) || calls < 1) {
    throw new McpError('CONFIG_INVALID', `policy '${name}': calls must be a whole number from 1, not ${String(calls)}`);
  }
  if (!Number.isFinite(windowMs) || windowMs <= 0) {
    throw new McpError('CONFIG_INVALID', `policy '${name}': windowMs must be positive, not ${String(windowMs)}`);
  }
  return { calls, windowMs };
}

function inSeconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
