import { expect, test } from 'vitest';
import type { ServerStatus } from '../hub/server-status.ts';
import { isolationText, sandboxText } from './isolation-text.ts';

const STATUS: ServerStatus = {
  name: 'files',
  status: 'connected',
  phase: 'connected',
  transport: 'stdio',
  scope: 'project',
  config: { type: 'stdio', command: 'files', args: [] },
  isolation: 'required',
  tools: [],
  restarts: 0,
  since: 0,
};

test.each([
  [{ isolation: 'off' }, 'off'],
  [{}, 'required'],
  [{ confinement: { files: 'confined', network: 'open' } }, 'sandbox, open network'],
  [{ confinement: { files: 'confined', network: [] } }, 'sandbox, no network'],
  [{ confinement: { files: 'confined', network: ['a.com'] } }, 'sandbox, 1 host'],
  [{ confinement: { files: 'open', network: ['a.com', 'b.com'] } }, '2 hosts'],
  [{ isolation: 'preferred', confinement: { files: 'open', network: 'open', missing: 'why' } }, 'NOT ISOLATED'],
] as const)('%j is %s', (fields, text) => {
  expect(isolationText({ ...STATUS, ...fields })).toBe(text);
});

test('says whether there is a sandbox, and if not, why and what to do', () => {
  expect(sandboxText({ kind: 'available', bwrap: '/usr/bin/bwrap', socat: '/usr/bin/socat' })).toBe(
    'available (bubblewrap, socat)',
  );
  expect(sandboxText({ kind: 'available', bwrap: '/usr/bin/bwrap', socat: undefined })).toBe('available (bubblewrap)');
  expect(sandboxText({ kind: 'unavailable', cause: 'it is missing', fix: 'install it' })).toBe(
    'not available: it is missing; install it',
  );
});
