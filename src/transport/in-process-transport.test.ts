import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { settle } from '../../test/fixtures/manual-clock.ts';
import type { InProcessServer, MessageChannelEnd } from '../config/in-process-server.ts';
import { InProcessTransport } from './in-process-transport.ts';
import { NotWrittenError } from './live-transport.ts';

const request = (id: number, params: Record<string, unknown> = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'ping',
  params,
});

/** A server that only keeps what happens to it. */
class SilentServer implements InProcessServer {
  readonly events: unknown[] = [];
  channel: MessageChannelEnd | undefined;

  async connect(channel: MessageChannelEnd): Promise<void> {
    this.channel = channel;
    channel.onmessage = (message: unknown): void => void this.events.push(message);
    channel.onclose = (): void => void this.events.push('channel closed');
    channel.onerror = (error): void => void this.events.push(error.message);
    await channel.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.channel?.send(message);
  }

  async close(): Promise<void> {
    this.events.push('close called');
    await this.channel?.close();
  }
}

function listen(transport: InProcessTransport): unknown[] {
  const heard: unknown[] = [];
  transport.onmessage = (message): void => void heard.push(message);
  transport.onclose = (): void => void heard.push('closed');
  transport.onerror = (error): void => void heard.push(error.message);
  return heard;
}

async function open(server: InProcessServer): Promise<{ transport: InProcessTransport; heard: unknown[] }> {
  const transport = new InProcessTransport(server);
  const heard = listen(transport);
  await transport.start();
  return { transport, heard };
}

describe('messages', () => {
  test('go both ways in order, after the sender has gone on', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    const sending = [transport.send(request(1)), transport.send(request(2)), server.send(request(3))];
    expect([server.events, heard]).toEqual([[], []]);
    await Promise.all(sending);
    await settle();
    expect([server.events, heard]).toEqual([[request(1), request(2)], [request(3)]]);
  });

  test('that come before the server has started are kept for it', async () => {
    const events: unknown[] = [];
    let channel: MessageChannelEnd | undefined;
    const lateServer: InProcessServer = {
      connect: async (given) => {
        channel = given;
      },
      close: async () => undefined,
    };
    const { transport } = await open(lateServer);
    await transport.send(request(1));
    await transport.send(request(2));
    await settle();
    if (channel) channel.onmessage = (message: unknown): void => void events.push(message);
    await channel?.start();
    await settle();
    expect(events).toEqual([request(1), request(2)]);
  });

  test('are copies: what one side does to its objects the other does not see', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    const sent = { list: ['mine'] };
    const answered = { list: ['theirs'] };
    await transport.send(request(1, sent));
    await server.send(request(2, answered));
    sent.list.push('changed later');
    answered.list.push('changed later');
    await settle();
    (server.events[0] as { params: { list: string[] } }).params.list.push('changed by the server');
    expect(sent.list).toEqual(['mine', 'changed later']);
    expect(heard).toEqual([request(2, { list: ['theirs'] })]);
  });

  test('that cannot be written down are refused like on any other channel', async () => {
    const { transport } = await open(new SilentServer());
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(transport.send(request(1, circular))).rejects.toThrow(TypeError);
  });

  test('that make the server throw are its own problem', async () => {
    const server = new SilentServer();
    const { transport } = await open(server);
    if (server.channel)
      server.channel.onmessage = (): void => {
        throw new Error('cannot read this');
      };
    await transport.send(request(1));
    await settle();
    expect(server.events).toEqual(['cannot read this']);
  });
});

describe('the end', () => {
  test('by close reaches both sides once, and closes the server', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    expect(transport.ending).toBeUndefined();
    await Promise.all([transport.close(), transport.close()]);
    await transport.close();
    expect({ events: server.events, heard, ending: transport.ending }).toEqual({
      events: ['channel closed', 'close called'],
      heard: ['closed'],
      ending: { kind: 'closed' },
    });
  });

  test('by the server reaches us once', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    await server.channel?.close();
    await server.channel?.close();
    await transport.close();
    expect([heard, transport.ending, server.events]).toEqual([['closed'], { kind: 'closed' }, ['channel closed']]);
  });

  test('leaves nothing to be delivered or sent', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    const underWay = [transport.send(request(1)), server.send(request(2))];
    await transport.close();
    await Promise.all(underWay);
    await settle();
    expect([server.events, heard]).toEqual([['channel closed', 'close called'], ['closed']]);
    await expect(transport.send(request(3))).rejects.toBeInstanceOf(NotWrittenError);
    await expect(transport.send(request(3))).rejects.toMatchObject({ reason: 'closed' });
    await expect(server.send(request(4))).rejects.toThrow('the client has closed the channel');
  });

  test('comes although the server cannot be closed, or throws when it hears of it', async () => {
    const server = new SilentServer();
    const { transport, heard } = await open(server);
    if (server.channel)
      server.channel.onclose = (): void => {
        throw new Error('not now');
      };
    server.close = () => Promise.reject(new Error('never'));
    await transport.close();
    expect([heard, transport.ending]).toEqual([['not now', 'closed', 'never'], { kind: 'closed' }]);
  });

  test('is the start’s own when the server refuses the channel', async () => {
    const refusing: InProcessServer = { connect: () => Promise.reject(new Error('no')), close: async () => undefined };
    await expect(new InProcessTransport(refusing).start()).rejects.toThrow('no');
  });
});

test('there is no process, no stderr, and nothing dropped', () => {
  const transport: { pid?: number; stderr: string; droppedMessages: number } = new InProcessTransport(
    new SilentServer(),
  );
  expect([transport.pid, transport.stderr, transport.droppedMessages]).toEqual([undefined, '', 0]);
});
