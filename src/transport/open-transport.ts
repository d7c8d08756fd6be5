import type { Authorizer } from './authorization.ts';
import type { InProcessServer } from '../config/in-process-server.ts';
import type { SdkTransport } from '../config/server-transport.ts';
import { McpConnectionError } from '../errors.ts';
import { InProcessTransport } from './in-process-transport.ts';
import type { LiveTransport, TransportContext } from './live-transport.ts';
import type { ProcessHost } from './process-host.ts';
import { openRemoteTransport } from './remote-transport.ts';
import { StdioTransport } from './stdio-transport.ts';

/** What a hub gives to the transports of all its servers. */
export interface TransportHost {
  readonly processes: ProcessHost;
  readonly authorizer: Authorizer;
  /** In-process servers by the name that an `sdk` transport refers to. */
  readonly inProcess: ReadonlyMap<string, InProcessServer | (() => InProcessServer)>;
}

/** Opens the channel that a server declares: the one switch on the kind of transport. */
export async function openTransport(context: TransportContext, host: TransportHost): Promise<LiveTransport> {
  const { transport } = context;
  switch (transport.kind) {
    case 'stdio':
      return new StdioTransport(context, host.processes);
    case 'http':
    case 'sse':
      return openRemoteTransport(context, transport, host.authorizer);
    case 'claudeai-proxy':
      return openRemoteTransport(context, { kind: 'http', url: transport.url, headers: {} }, host.authorizer);
    case 'sdk':
      return new InProcessTransport(inProcessServer(context.server, transport, host));
  }
}

function inProcessServer(server: string, transport: SdkTransport, host: TransportHost): InProcessServer {
  const found = transport.instance ?? host.inProcess.get(transport.name);
  if (found) return typeof found === 'function' ? found() : found;
  const known = [...host.inProcess.keys()].join(', ') || 'none';
  throw new McpConnectionError({
    code: 'CONNECT_FAILED',
    server,
    transport: `sdk: ${transport.name}`,
    message: `${server}: no in-process server is registered as '${transport.name}' (registered: ${known}); pass it to the hub's inProcess option`,
  });
}
