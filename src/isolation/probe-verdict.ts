/** Why there is no sandbox to be had on this machine, and what would change that. */
export interface SandboxGap {
  readonly cause: string;
  readonly fix: string;
}

export const NO_BUBBLEWRAP: SandboxGap = {
  cause: 'bubblewrap is not installed',
  fix: 'install it, as with `apt-get install bubblewrap socat` or `dnf install bubblewrap socat`',
};

export function wrongPlatform(platform: string): SandboxGap {
  return {
    cause: `there is no sandbox for ${platform} yet`,
    fix: 'run it on Linux, in a container or a virtual machine',
  };
}

const RULES: readonly { readonly sign: RegExp; readonly gap: SandboxGap }[] = [
  {
    sign: /No permissions to create (?:a )?new namespace/i,
    gap: {
      cause: 'user namespaces are blocked',
      fix:
        'in a container start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined; ' +
        'elsewhere allow them with `sysctl kernel.unprivileged_userns_clone=1`',
    },
  },
  {
    sign: /nesting depth|max_\w*_namespaces|ENOSPC|No space left on device/i,
    gap: {
      cause: 'the limit of namespaces is reached',
      fix: 'raise user.max_user_namespaces and its fellows with sysctl (0 forbids them), or nest less deeply',
    },
  },
  {
    sign: /setting up uid map/i,
    gap: {
      cause: 'user ids cannot be mapped into a namespace',
      fix: 'give the container CAP_SETFCAP, or do not run as root; on Ubuntu allow user namespaces with `sysctl kernel.apparmor_restrict_unprivileged_userns=0` or an AppArmor profile for bwrap',
    },
  },
  {
    sign: /loopback: Failed (?:RTM_NEWADDR|to look up)|RTM_NEWADDR/i,
    gap: {
      cause: 'a namespace gets no network of its own, which AppArmor on Ubuntu 24.04 does',
      fix: 'set `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, or add an AppArmor profile for bwrap',
    },
  },
  {
    sign: /Can't mount proc|mount proc/i,
    gap: {
      cause: 'a namespace gets no /proc of its own, because the container hides parts of it',
      fix: 'start the container with --security-opt systempaths=unconfined',
    },
  },
];

/** What the words mean with which a try failed. */
export function gapOf(complaint: string): SandboxGap {
  const known = RULES.find(({ sign }) => sign.test(complaint))?.gap;
  if (known) return { ...known, cause: `${known.cause} (${complaint})` };
  return { cause: `bubblewrap does not work here (${complaint})`, fix: 'see what `bwrap --ro-bind / / true` says' };
}
