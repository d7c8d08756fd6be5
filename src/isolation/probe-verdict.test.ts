import { expect, test } from 'vitest';
import { gapOf } from './probe-verdict.ts';

test.each([
  [
    'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.',
    'user namespaces are blocked',
    '--security-opt seccomp=unconfined',
  ],
  [
    'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)',
    'the limit of namespaces is reached',
    'user.max_user_namespaces',
  ],
  ['bwrap: setting up uid map: Operation not permitted', 'user ids cannot be mapped', 'CAP_SETFCAP'],
  [
    'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
    'a namespace gets no network of its own',
    'kernel.apparmor_restrict_unprivileged_userns',
  ],
  [
    "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
    'no /proc of its own',
    'systempaths=unconfined',
  ],
  ['bwrap: something new', 'bubblewrap does not work here', 'see what'],
])('%s', (complaint, cause, fix) => {
  const gap = gapOf(complaint);
  expect(gap.cause).toContain(cause);
  expect(gap.cause).toContain(complaint);
  expect(gap.fix).toContain(fix);
});
