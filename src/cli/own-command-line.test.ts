import { expect, test } from 'vitest';
import { NO_FLAGS } from '../../test/fixtures/no-flags.ts';
import { ownCommandLine } from './own-command-line.ts';

type Started = Parameters<typeof ownCommandLine>[0];

function started(more: Partial<Started> = {}): Started {
  return { env: {}, script: '/usr/bin/fairlead', cwd: '/project', flags: NO_FLAGS, ...more };
}

test.for([
  ['the installed command', started(), 'fairlead call files read'],
  [
    'npm start',
    started({ env: { npm_lifecycle_event: 'start' }, script: '/project/dist/cli/main.js' }),
    'npm start -- call files read',
  ],
  ['npx', started({ env: { npm_lifecycle_event: 'npx' } }), 'npx fairlead call files read'],
  ['the file itself', started({ script: '/project/dist/cli/main.js' }), 'node dist/cli/main.js call files read'],
  [
    'a config of its own',
    started({ flags: { ...NO_FLAGS, config: 'my file.yaml' } }),
    "fairlead call files read --config 'my file.yaml'",
  ],
] as const)('%s', ([, command, line]) => {
  expect(ownCommandLine(command, ['call', 'files', 'read'])).toBe(line);
});

test('words are quoted for the shell', () => {
  expect(ownCommandLine(started(), ['call', 's', "it's"])).toBe(String.raw`fairlead call s 'it'\''s'`);
});
