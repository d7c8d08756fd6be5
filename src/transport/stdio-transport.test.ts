import { Client, ProtocolError } from '@modelcontextprotocol/client';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { node, treeLaunches } from '../../test/fixtures/processes/launches.ts';
import { livingWith } from '../../test/fixtures/processes/living-with.ts';
import { createChannel, openChannel } from '../../test/fixtures/processes/open-channel.ts';
import type { Channel } from '../../test/fixtures/processes/open-channel.ts';
import { availableWays } from '../../test/fixtures/processes/ways.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { until } from '../../test/fixtures/until.ts';
import { McpConnectionError } from '../errors.ts';
import { DEFAULT_TRANSPORT_LIMITS, NotWrittenError, WireFault } from './live-transport.ts';
import { ProcessHost } from './process-host.ts';

const server = node('scripted-server.mjs');

for (const way of await availableWays()) {
  describe(`with pid namespaces ${way}`, () => {
    test('carries messages both ways', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      await using channel = await openChannel({ host, server });
      await Promise.all([
        channel.ask(1, 'echo', { text: 'grüße' }),
        channel.ask(2, 'echo', { text: 'x'.repeat(1_000_000) }),
      ]);
      expect(await channel.answer(1)).toEqual({ jsonrpc: '2.0', id: 1, result: { text: 'grüße' } });
      expect(await channel.answer(2)).toEqual({ jsonrpc: '2.0', id: 2, result: { text: 'x'.repeat(1_000_000) } });
      expect(channel.transport.ending).toBeUndefined();
    });

    test('tells the code of a server that exits, once, and sends nothing more', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server });
      await channel.ask(1, 'exit', { code: 3 });
      await channel.closed;
      expect(channel.transport.ending).toEqual({ kind: 'exited', exitCode: 3, signal: null });
      await expect(channel.ask(2, 'echo')).rejects.toEqual(new NotWrittenError('closed', 'fixture is not running'));
      await channel.transport.close();
      expect(channel.seen).toEqual(['closed']);
    });

    test('delivers what a server said last before it tells of the end', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server });
      await channel.ask(1, 'last-words', { bytes: 100_000 });
      await channel.closed;
      expect(channel.seen).toEqual([{ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(100_000) } }, 'closed']);
    });

    test('ends a server that has closed its output', async () => {
      const word = randomUUID();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server: node('scripted-server.mjs', word) });
      await channel.ask(1, 'close-output');
      await channel.closed;
      expect(channel.transport.ending).toEqual({ kind: 'stdout-closed' });
      expect(livingWith(word)).toEqual([]);
    });

    test('ends a server that writes without line breaks', async () => {
      const word = randomUUID();
      await using host = new ProcessHost({ pidNamespace: way });
      const limits = { messageBytes: 100_000, floodBytes: 1_000_000 };
      const channel = await openChannel({ host, server: node('flooding-server.mjs', word), limits });
      await channel.closed;
      expect(channel.transport.ending).toEqual({ kind: 'flooded', limitBytes: 1_000_000 });
      expect(livingWith(word)).toEqual([]);
    });

    test('ends a server that does not read, after the time it is given', async () => {
      const clock = new ManualClock();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server, clock, limits: { unsentBytes: 2_000_000 } });
      await channel.ask(1, 'stop-reading');
      const large = { text: 'x'.repeat(1_500_000) };
      const stuck = channel.ask(2, 'echo', large).catch((error: unknown) => error);
      await expect(channel.ask(3, 'echo', large)).rejects.toMatchObject({
        name: 'NotWrittenError',
        reason: 'overloaded',
      });
      await clock.advance(DEFAULT_TRANSPORT_LIMITS.writeStallMs);
      await channel.closed;
      expect(channel.transport.ending).toEqual({ kind: 'stalled', afterMs: DEFAULT_TRANSPORT_LIMITS.writeStallMs });
      expect(await stuck).not.toBeInstanceOf(NotWrittenError);
      expect(clock.pending).toBe(0);
    });

    test('is not held up by a megabyte on stderr, and keeps its end', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      await using channel = await openChannel({ host, server, limits: { stderrBytes: 1024 } });
      await channel.ask(1, 'complain', { bytes: 1_000_000, last: '\n\u001B[31mlast line\u001B[0m' });
      await channel.answer(1);
      await until(() => channel.transport.stderr === 'last line', { describe: 'the end of stderr is there' });
    });

    test('fails the one request whose answer is too large, and goes on', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      await using channel = await openChannel({ host, server, limits: { messageBytes: 1000 } });
      await channel.ask(1, 'echo', { text: 'x'.repeat(2000) });
      await channel.ask(2, 'echo', { text: 'short' });
      expect(faultOf(await channel.answer(1))).toEqual(
        new WireFault('message-too-large', "the server's answer is over 1000 bytes"),
      );
      expect(await channel.answer(2)).toEqual({ jsonrpc: '2.0', id: 2, result: { text: 'short' } });
    });

    test('close may be called often and at once, and tells the end once', async () => {
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = await openChannel({ host, server });
      const { transport } = channel;
      await Promise.all([transport.close(), transport.close()]);
      await transport.close();
      expect(channel.seen).toEqual(['closed']);
      expect(transport.ending).toEqual({ kind: 'closed' });
      await expect(channel.ask(1, 'echo')).rejects.toBeInstanceOf(NotWrittenError);
    });

    test('close while it starts leaves nothing behind', async () => {
      const word = randomUUID();
      await using host = new ProcessHost({ pidNamespace: way });
      const channel = createChannel({ host, server: treeLaunches.sticky.launch(word) });
      const starting = channel.transport.start().catch((error: unknown) => error);
      await channel.transport.close();
      expect(await starting).toMatchObject({ code: 'NOT_CONNECTED' });
      expect(livingWith(word)).toEqual([]);
      expect(channel.seen).toEqual(['closed']);
    });
  });
}

test('ends a server that has closed its input', async () => {
  await using host = new ProcessHost({ pidNamespace: 'off' });
  const channel = await openChannel({ host, server });
  await channel.ask(1, 'close-input');
  await until(
    async () => {
      await channel.ask(2, 'echo').catch(() => undefined);
      return channel.transport.ending;
    },
    { describe: 'the broken pipe was noticed' },
  );
  await channel.closed;
  expect(channel.transport.ending).toEqual({ kind: 'stalled', afterMs: 100 });
});

test('a start that fails is typed, and closing after it still tells the end', async () => {
  await using host = new ProcessHost({ pidNamespace: 'off' });
  const channel = createChannel({ host, server: { ...server, command: 'nosuch-command' } });
  const error: unknown = await channel.transport.start().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(McpConnectionError);
  expect(error).toMatchObject({ code: 'COMMAND_NOT_FOUND', serverName: 'fixture', transport: 'stdio: nosuch-command' });
  await channel.transport.close();
  expect(channel.seen).toEqual(['closed']);
});

test('[S3.jsonrpc] counts what is no message, warns of it once, and reads on', async () => {
  const logger = new RecordingLogger();
  await using host = new ProcessHost({ pidNamespace: 'off' });
  await using channel = await openChannel({ host, server, logger });
  await channel.ask(1, 'write', { text: 'Listening…\r\n\n{"level":"info"}\n[]\n12\n' });
  await channel.ask(2, 'echo');
  await channel.answer(2);
  expect(channel.transport.droppedMessages).toBe(3);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([
    {
      level: 'warn',
      message: 'the server wrote something to stdout that is no message',
      fields: { reason: 'no JSON' },
    },
  ]);
});

test('a listener that throws stops nothing', async () => {
  await using host = new ProcessHost({ pidNamespace: 'off' });
  const channel = await openChannel({ host, server });
  const errors: unknown[] = [];
  const { onmessage } = channel.transport;
  channel.transport.onerror = (error) => errors.push(error.message);
  channel.transport.onmessage = (message) => {
    onmessage?.(message);
    throw new Error('from onmessage');
  };
  channel.transport.onclose = () => {
    throw new Error('from onclose');
  };
  await channel.ask(1, 'echo');
  await channel.ask(2, 'echo');
  await Promise.all([channel.answer(1), channel.answer(2)]);
  await channel.transport.close();
  expect(errors).toEqual(['from onmessage', 'from onmessage', 'from onclose']);
});

test('a fault reaches who asked as what it is, through the SDK', async () => {
  await using host = new ProcessHost({ pidNamespace: 'off' });
  const { transport } = createChannel({ host, server });
  const client = new Client({ name: 'test', version: '1' });
  // Only the protocol's base is needed: no handshake.
  await Object.getPrototypeOf(Client.prototype).connect.call(client, transport);
  const text = '{"jsonrpc":"2.0","id":0,"result":null}\n';
  const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const;
  const error: unknown = await client
    .request({ method: 'write', params: { text } }, anything)
    .catch((thrown: unknown) => thrown);
  await client.close();
  expect(ProtocolError.isInstance(error) && error.data).toEqual(
    new WireFault('invalid-message', "the server's result is null, not an object"),
  );
});

function faultOf(message: Awaited<ReturnType<Channel['answer']>>): unknown {
  return 'error' in message ? message.error.data : message;
}
