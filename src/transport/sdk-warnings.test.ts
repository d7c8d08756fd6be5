/* oxlint-disable no-console -- the SDK writes there, and only there */
import { expect, test, vi } from 'vitest';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { withSdkWarnings } from './sdk-warnings.ts';

test('what the SDK writes to the console during our work goes to the logger of that work, however late', async () => {
  const console_ = vi.spyOn(console, 'warn').mockReturnValue();
  const [first, second] = [new RecordingLogger(), new RecordingLogger()];
  const speak = async (word: string): Promise<void> => {
    await Promise.resolve();
    console.warn(`[mcp-sdk] ${word}`);
  };
  await Promise.all([withSdkWarnings(first, () => speak('one')), withSdkWarnings(second, () => speak('two'))]);
  expect([first.lines, second.lines]).toEqual([
    [{ level: 'info', message: 'the SDK says: one' }],
    [{ level: 'info', message: 'the SDK says: two' }],
  ]);
  expect(console_).not.toHaveBeenCalled();
});

test('everything else that is written there is left alone', () => {
  const console_ = vi.spyOn(console, 'warn').mockReturnValue();
  const logger = new RecordingLogger();
  withSdkWarnings(logger, () => console.warn('mine', 1));
  withSdkWarnings(logger, () => console.warn({ mine: 2 }));
  console.warn('[mcp-sdk] somebody else uses it too');
  expect(console_.mock.calls).toEqual([['mine', 1], [{ mine: 2 }], ['[mcp-sdk] somebody else uses it too']]);
  expect(logger.lines).toEqual([]);
});

test('the console is changed once, however often it is listened to', () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const logger = new RecordingLogger();
  withSdkWarnings(logger, () => undefined);
  const { warn } = console;
  withSdkWarnings(logger, () => undefined);
  expect(console.warn).toBe(warn);
});

test('a console that nobody may change is left as it is, and the work is done all the same', () => {
  const before = Object.getOwnPropertyDescriptor(console, 'warn') ?? {};
  Object.defineProperty(console, 'warn', { value: () => undefined, writable: false });
  try {
    expect(withSdkWarnings(new RecordingLogger(), () => 'done')).toBe('done');
  } finally {
    Object.defineProperty(console, 'warn', before);
  }
});
