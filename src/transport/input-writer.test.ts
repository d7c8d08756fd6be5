import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { InputWriter } from './input-writer.ts';
import { NotWrittenError } from './live-transport.ts';

const STALL_MS = 30_000;

describe('InputWriter', () => {
  test('writes lines in their order and says when they have left', async () => {
    const { writer, reader, clock } = setUp();
    reader.isReading = true;
    await writer.write('one\n');
    await Promise.all([writer.write('two\n'), writer.write('drei ü\n')]);
    expect(reader.text).toBe('one\ntwo\ndrei ü\n');
    expect(clock.pending).toBe(0);
  });

  test('refuses a line when too much is waiting, and takes it again later', async () => {
    const { writer, reader } = setUp({ unsentBytes: 10 });
    const first = writer.write('a line longer than the limit\n');
    const refusal = await writer.write('next\n').catch((error: unknown) => error);
    expect(refusal).toEqual(new NotWrittenError('overloaded', 'the server has left 29 bytes of its input unread'));
    reader.read();
    await first;
    reader.isReading = true;
    await writer.write('next\n');
    expect(reader.text).toBe('a line longer than the limit\nnext\n');
  });

  test('reports a server that leaves its input unread for too long', async () => {
    const { writer, clock, heard } = setUp();
    void writer.write('one\n');
    await clock.advance(STALL_MS - 1);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect(heard).toEqual(['stalled']);
    expect(clock.pending).toBe(0);
  });

  test('each line that is read gives the next one the full time', async () => {
    const { writer, reader, clock, heard } = setUp();
    const first = writer.write('one\n');
    void writer.write('two\n');
    await clock.advance(STALL_MS - 1);
    reader.read();
    await first;
    await clock.advance(STALL_MS - 1);
    expect(heard).toEqual([]);
    await clock.advance(1);
    expect(heard).toEqual(['stalled']);
  });

  test('refuses a line after the end of input', async () => {
    const { writer, reader } = setUp();
    reader.end();
    await expect(writer.write('late\n')).rejects.toEqual(
      new NotWrittenError('closed', 'the input of the server is closed'),
    );
  });

  test('a line that was handed over when the pipe broke does not count as never written', async () => {
    const { writer, reader, clock, heard } = setUp();
    const cause = new Error('EPIPE');
    const writing = writer.write('one\n').catch((error: unknown) => error);
    reader.destroy(cause);
    const error = await writing;
    expect(error).not.toBeInstanceOf(NotWrittenError);
    expect(error).toEqual(new Error('the input of the server broke while a message was being written'));
    await settle();
    expect(heard).toEqual(['broken']);
    expect(clock.pending).toBe(0);
    await expect(writer.write('two\n')).rejects.toBeInstanceOf(NotWrittenError);
  });

  test('waits for nothing once it is stopped', async () => {
    const { writer, clock, heard } = setUp();
    void writer.write('one\n');
    writer.stop();
    await clock.advance(STALL_MS);
    expect(heard).toEqual([]);
  });
});

interface SetUp {
  readonly writer: InputWriter;
  readonly reader: SlowReader;
  readonly clock: ManualClock;
  readonly heard: string[];
}

function setUp({ unsentBytes = 1000 }: { readonly unsentBytes?: number } = {}): SetUp {
  const clock = new ManualClock();
  const reader = new SlowReader();
  const heard: string[] = [];
  const writer = new InputWriter({
    stream: reader,
    clock,
    unsentBytes,
    writeStallMs: STALL_MS,
    onStalled: () => heard.push('stalled'),
    onBroken: () => heard.push('broken'),
  });
  return { writer, reader, clock, heard };
}

/** Takes one line whenever it is told to read, or all when it is reading. */
class SlowReader extends Writable {
  isReading = false;
  text = '';
  #waiting: ((error?: Error | null) => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#waiting = (error) => {
      if (!error) this.text += chunk.toString();
      done(error);
    };
    if (this.isReading) this.read();
  }

  // A socket that is destroyed tells the writes that were under way.
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#waiting?.(error);
    done(error);
  }

  read(): void {
    this.#waiting?.();
  }
}
