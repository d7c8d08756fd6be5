import { expect, test } from 'vitest';
import { RecordingLogger } from '../test/fixtures/recording-logger.ts';
import { scrubbedLogger, silentLogger } from './logger.ts';
import { Scrubber } from './redaction.ts';

test('the silent logger takes anything and says nothing', () => {
  expect(silentLogger.log('error', 'broken', { reason: 'x' })).toBeUndefined();
});

test('a scrubbed logger passes level, message and fields on, with every known secret masked', () => {
  const scrubber = new Scrubber();
  const recording = new RecordingLogger();
  const logger = scrubbedLogger(recording, scrubber);
  logger.log('info', 'hunter2hunter2 is not known yet');
  scrubber.add('hunter2hunter2');
  logger.log('warn', 'sent hunter2hunter2', {
    header: 'Bearer hunter2hunter2',
    nested: { list: ['hunter2hunter2'] },
    count: 3,
  });
  logger.log('debug', 'no fields');
  expect(recording.lines).toEqual([
    { level: 'info', message: 'hunter2hunter2 is not known yet' },
    { level: 'warn', message: 'sent ***', fields: { header: 'Bearer ***', nested: { list: ['***'] }, count: 3 } },
    { level: 'debug', message: 'no fields' },
  ]);
});
