import { describe, expect, test } from 'vitest';
import { Hub } from '../../src/index.ts';
import type { HubOptions, McpServer } from '../../src/index.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';

/** A server of the fixtures, reachable over the transport under test. */
export interface ContractServer extends AsyncDisposable {
  readonly server: McpServer;
  /** How the hub is to be made that uses it. */
  readonly hub?: HubOptions;
}

/** What every transport must do, whatever carries its messages. */
export function transportContract(name: string, open: () => Promise<ContractServer>): void {
  describe(`transport contract: ${name}`, () => {
    test('[S3.transport-contract] initializes, lists and calls tools, lists and reads resources, and closes', async () => {
      await using fixture = await open();
      await using hub = new Hub({ ...fixture.hub, servers: [fixture.server] });
      const { name: server } = fixture.server;
      const status = await hub.connect(server);
      expect({ status: status.status, phase: status.phase }).toEqual({ status: 'connected', phase: 'connected' });
      expect(status.serverInfo?.name).toMatch(/./);
      expect(hub.tools().map((tool) => tool.tool)).toEqual(expect.arrayContaining(['echo', 'add', 'fail']));
      expect(await hub.callTool(server, 'echo', { arguments: { message: 'through' } })).toEqual({
        content: [{ type: 'text', text: 'through' }],
        isError: false,
      });
      const { resources, templates } = await hub.listResources(server);
      expect(resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(['fixture://text', 'fixture://binary']));
      expect(templates.length).toBeGreaterThan(0);
      const [text] = await hub.readResource(server, 'fixture://text');
      expect(text).toMatchObject({ uri: 'fixture://text', text: 'a text' });
      await hub.disconnect(server);
      expect(hub.serverStatus(server)).toMatchObject({ status: 'pending', phase: 'disconnected', tools: [] });
      expect(hub.tools()).toEqual([]);
    });

    test('tells a tool error from an RPC error, and carries structured content', async () => {
      await using fixture = await open();
      await using hub = new Hub({ ...fixture.hub, servers: [fixture.server] });
      const { name: server } = fixture.server;
      expect(await hub.callTool(server, 'add', { arguments: { a: 2, b: 3 } })).toEqual({
        content: [{ type: 'text', text: '5' }],
        structuredContent: { sum: 5 },
        isError: false,
      });
      expect(await hub.callTool(server, 'fail')).toMatchObject({ isError: true });
      await expect(hub.callTool(server, 'throw')).rejects.toMatchObject({
        code: 'TOOL_FAILED',
        serverName: server,
        toolName: 'throw',
        rpcError: { code: -32_050, message: expect.stringContaining('thrown on purpose') },
      });
    });

    test('passes progress on while a call runs, and cancels it', async () => {
      await using fixture = await open();
      await using hub = new Hub({ ...fixture.hub, servers: [fixture.server] });
      const { name: server } = fixture.server;
      const seen: number[] = [];
      await hub.callTool(server, 'slow', {
        arguments: { ms: 40, steps: 4 },
        onProgress: ({ progress }) => seen.push(progress),
      });
      expect(seen).toEqual([1, 2, 3, 4]);
      const giveUp = new AbortController();
      const call = hub.callTool(server, 'slow', {
        arguments: { ms: 60_000, steps: 100 },
        signal: giveUp.signal,
        onProgress: () => giveUp.abort(),
      });
      await expect(call).rejects.toMatchObject({ code: 'CALL_CANCELLED', serverName: server });
      expect(await hub.callTool(server, 'echo', { arguments: { message: 'still here' } })).toMatchObject({
        isError: false,
      });
    });

    test('follows a change of the tool list', async () => {
      await using fixture = await open();
      await using hub = new Hub({ ...fixture.hub, servers: [fixture.server] });
      const { name: server } = fixture.server;
      await hub.connect(server);
      const changed = new Promise<readonly string[]>((resolve) => {
        hub.on('tools-changed', ({ added }) => resolve(added));
      });
      await hub.callTool(server, 'grow');
      expect(await changed).toEqual([expect.stringMatching(new RegExp(`^mcp__${server}__grown-`))]);
    });

    test('[S3.jsonrpc] keeps concurrent answers apart', async () => {
      await using fixture = await open();
      const logger = new RecordingLogger();
      await using hub = new Hub({ ...fixture.hub, servers: [fixture.server], logger });
      const { name: server } = fixture.server;
      const sums = Array.from({ length: 40 }, async (_, index) => {
        const result = await hub.callTool(server, 'add', { arguments: { a: index, b: 1 } });
        return result.structuredContent;
      });
      expect(await Promise.all(sums)).toEqual(Array.from({ length: 40 }, (_, index) => ({ sum: index + 1 })));
    });
  });
}
