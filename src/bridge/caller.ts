import { randomUUID } from 'node:crypto';
import type { Progress } from '../call/progress.ts';
import type { ToolInvoked } from '../call/tool-invoked.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { repeatableByAnnotation } from '../connection/resend-policy.ts';
import { McpError } from '../errors.ts';
import type { CallRequest, Hub } from '../hub/hub.ts';
import { Session } from '../session/session.ts';
import { fromAnswer, fromError } from './to-tool-result.ts';

export interface CallerOptions {
  readonly hub: Hub;
  readonly session?: Session;
  readonly clock?: Clock;
}

/** A tool by the name an agent sees, or by its server and the server's own name for it. */
export type ToolAddress = string | { readonly server: string; readonly tool: string };

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Instead of the server's own timeout. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** A result, and which call it belongs to. */
export interface CallReport extends ToolResult {
  readonly callId: string;
  readonly durationMs: number;
}

/** What an address stands for; a name that no tool has comes without server and tool. */
interface Target {
  readonly name: string;
  readonly server?: string;
  readonly tool?: string;
}

/** Runs calls for one session: the only way from an agent, a gateway or a command to a tool. Never throws. */
export class Caller {
  readonly session: Session;
  readonly #hub: Hub;
  readonly #clock: Clock;

  constructor(options: CallerOptions) {
    this.#hub = options.hub;
    this.session = options.session ?? new Session();
    this.#clock = options.clock ?? systemClock;
  }

  /** Resolves the tool, calls it, and reports the outcome once. */
  async call(address: ToolAddress, args: JsonObject = {}, options: CallOptions = {}): Promise<CallReport> {
    const callId = randomUUID();
    const startedAt = this.#clock.monotonic();
    const target = this.#resolve(address);
    const result = await this.#run(target, { ...options, arguments: args });
    const durationMs = this.#clock.monotonic() - startedAt;
    this.#publish(target, { callId, durationMs, args, result });
    return { ...result, callId, durationMs };
  }

  async #run({ name, server, tool }: Target, request: CallRequest): Promise<ToolResult> {
    if (server === undefined || tool === undefined) return fromError(unknownName(name), true);
    try {
      return fromAnswer(await this.#hub.callTool(server, tool, request));
    } catch (error) {
      return fromError(error, this.#isHarmless(name));
    }
  }

  #resolve(address: ToolAddress): Target {
    if (typeof address === 'string') return this.#hub.findTool(address) ?? { name: address };
    return { name: this.#hub.toolName(address.server, address.tool), ...address };
  }

  /** Whether nothing is lost if the call ran without our knowing. */
  #isHarmless(name: string): boolean {
    const spec = this.#hub.findTool(name);
    return spec !== undefined && repeatableByAnnotation(spec.annotations, spec.trust) === 'repeatable';
  }

  #publish(
    { name, server }: Target,
    call: Pick<ToolInvoked, 'callId' | 'durationMs' | 'result'> & { args: JsonObject },
  ): void {
    if (server !== undefined && !this.#isTracked(server)) return;
    const { args, ...rest } = call;
    const event: ToolInvoked = {
      ...rest,
      type: 'tool-invoked',
      at: this.#clock.now(),
      sessionId: this.session.id,
      name,
      params: args,
      outcome: call.result.outcome,
      adapter: 'code',
      source: 'mcp',
      ...(server !== undefined && { mcpServer: server }),
    };
    this.session.dispatcher.dispatch('tool-invoked', this.#hub.scrubber.scrubValue(event));
  }

  #isTracked(server: string): boolean {
    try {
      return this.#hub.server(server).trackInvocations;
    } catch {
      return true;
    }
  }
}

function unknownName(name: string): McpError {
  return new McpError('TOOL_UNKNOWN', `no tool is called '${name}'; list the tools to see the names`);
}
