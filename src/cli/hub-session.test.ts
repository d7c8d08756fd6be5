import { expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { NO_FLAGS } from '../../test/fixtures/no-flags.ts';
import { LocalHub } from '../hub/local-hub.ts';
import { connectServers } from './hub-session.ts';
import { Interruption } from './interruption.ts';
import { Output } from './output.ts';

test('where there is nothing to connect, nothing is drawn', async () => {
  const clock = new ManualClock();
  let written = '';
  const terminal = { isTTY: true, columns: 80, write: (text: string | Uint8Array) => (written += String(text)) };
  await using hub = new LocalHub({ servers: [] });
  const command = {
    verb: 'tools',
    positionals: [],
    flags: NO_FLAGS,
    output: new Output({ stdout: terminal, stderr: terminal, env: {}, noColor: true }),
    interruption: new Interruption({ clock, force: () => undefined }),
    clock,
    env: {},
    cwd: '/project',
    script: 'fairlead',
  };
  expect([await connectServers(command, hub, []), written]).toEqual([[], '']);
});
