import { expect, test } from 'vitest';
import type { Command } from './command.ts';
import { ownCommandLine } from './own-command-line.ts';

type Started = Parameters<typeof ownCommandLine>[0];

const FLAGS: Command['flags'] = { json: false, check: false, noColor: false, noCache: false };

function started(more: Partial<Started> = {}): Started {
  return { env: {}, script: '/usr/bin/fairlead', cwd: '/project', flags: FLAGS, ...more };
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
    started({ flags: { ...FLAGS, config: 'my file.yaml' } }),
    "fairlead call files read --config 'my file.yaml'",
  ],
] as const)('%s', ([, command, line]) => {
  expect(ownCommandLine(command, ['call', 'files', 'read'])).toBe(line);
});

test('words are quoted for the shell', () => {
  expect(ownCommandLine(started(), ['call', 's', "it's"])).toBe(String.raw`fairlead call s 'it'\''s'`);
});
