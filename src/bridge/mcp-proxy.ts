import type { JsonObject } from '../call/tool-ref.ts';
import type { Clock } from '../clock.ts';
import { McpServer } from '../config/server.ts';
import type { HubView } from '../hub/hub-view.ts';
import { LocalHub } from '../hub/local-hub.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import type { Session } from '../session/session.ts';
import type { ApprovalBroker } from './approval.ts';
import type { CallReport } from './call-report.ts';
import { Caller } from './caller.ts';

/** A stdio server behind a proxy. */
export interface ProxiedMcpServer {
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Decide on every call of the server's tools. */
  readonly policies?: readonly ToolPolicy[];
  /** False publishes no event for the server's calls. */
  readonly dispatchEvents?: boolean;
}

export interface McpProxyOptions {
  readonly servers: readonly ProxiedMcpServer[];
  readonly session: Session;
  /** Whose connections are shared; a hub of the proxy's own unless given. */
  readonly hub?: LocalHub;
  /** Who is asked when a policy wants a yes. */
  readonly approval?: ApprovalBroker;
  readonly clock?: Clock;
}

/** Calls tools by server and name under one session's control; a server starts with the first call that is allowed. */
export class McpProxy implements AsyncDisposable {
  /** What makes the calls, for those that need a signal, a deadline or progress. */
  readonly caller: Caller;
  readonly #hub: HubView;

  constructor(options: McpProxyOptions) {
    const { session, hub, approval, clock } = options;
    const view = { servers: options.servers.map(toServer), principal: session.principal };
    this.#hub = hub ? hub.view(view) : new LocalHub({ ...view, ...(clock && { clock }) });
    this.caller = new Caller({
      hub: this.#hub,
      session,
      adapter: 'proxy',
      // Code reads these results, and has no tool to read on with.
      resultCharacters: Number.POSITIVE_INFINITY,
      eventName: ({ server, tool }) => (server === undefined ? tool : `${server}:${tool}`),
      ...(approval && { approval }),
      ...(clock && { clock }),
    });
  }

  /** Runs the whole pipeline; never throws. */
  callTool(server: string, tool: string, args: JsonObject = {}): Promise<CallReport> {
    return this.caller.call({ server, tool }, args);
  }

  /** Ends the connections that nobody else holds. */
  close(): Promise<void> {
    return this.#hub.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function toServer({ name, command, args, dispatchEvents, ...rest }: ProxiedMcpServer): McpServer {
  return McpServer.stdio(name, command, args, {
    ...rest,
    ...(dispatchEvents !== undefined && { trackInvocations: dispatchEvents }),
  });
}
