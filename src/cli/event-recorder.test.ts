import { mkdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { openTemporaryFolder } from '../../test/fixtures/temporary-folder.ts';
import { McpServer } from '../config/server.ts';
import { LocalHub } from '../hub/local-hub.ts';
import { Session } from '../session/session.ts';
import { EventRecorder } from './event-recorder.ts';
import { ownServer } from './own-server.ts';

test('a log that can no longer be written is told once, however often it fails', async () => {
  await using folder = await openTemporaryFolder();
  const file = folder.file('events.jsonl');
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  await using hub = new LocalHub({ servers: [McpServer.sdk('own', () => ownServer(clock))], clock });
  const session = new Session();
  const recorder = await EventRecorder.open({ file, hub, clock, logger });
  recorder.follow(session);
  rmSync(file);
  mkdirSync(file);
  for (const type of ['tool-started', 'tool-invoked']) {
    session.dispatch({ type });
    await clock.advance(1000);
  }
  await recorder.close();
  expect(logger.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', expect.stringMatching(/^events are not recorded: EISDIR/)],
  ]);
});
