import type { Clock } from '../clock.ts';
import { BOX_FLAGS } from '../isolation/bubblewrap.ts';
import { gapOf, NO_BUBBLEWRAP, wrongPlatform } from '../isolation/probe-verdict.ts';
import type { SandboxGap } from '../isolation/probe-verdict.ts';
import type { Environment } from './child-environment.ts';
import { resolveExecutable } from './executable.ts';
import { complaintOf } from './trial-run.ts';

/** Whether servers can be put into a sandbox on this machine. */
export type SandboxVerdict =
  | {
      readonly kind: 'available';
      /** The file of bubblewrap. */
      readonly bwrap: string;
      /** The file of socat; without one Node does its work. */
      readonly socat: string | undefined;
    }
  | ({ readonly kind: 'unavailable' } & SandboxGap);

export interface SandboxProbeOptions {
  /** The environment in which bubblewrap is looked for. */
  readonly env: Environment;
  readonly clock: Clock;
}

const TRIAL = ['--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--'];

/** Knows whether this machine lets a server have a sandbox. */
export class SandboxProbe {
  readonly #options: SandboxProbeOptions;
  #verdict: Promise<SandboxVerdict> | undefined;

  constructor(options: SandboxProbeOptions) {
    this.#options = options;
  }

  /** Tries it once, by doing it: that bubblewrap is installed says little. */
  verdict(): Promise<SandboxVerdict> {
    this.#verdict ??= this.#try();
    return this.#verdict;
  }

  async #try(): Promise<SandboxVerdict> {
    if (process.platform !== 'linux') return { kind: 'unavailable', ...wrongPlatform(process.platform) };
    const bwrap = await this.#find('bwrap');
    if (bwrap === undefined) return { kind: 'unavailable', ...NO_BUBBLEWRAP };
    const complaint = await complaintOf([bwrap, ...BOX_FLAGS, ...TRIAL, '/bin/sh', '-c', ':'], this.#options);
    if (complaint !== undefined) return { kind: 'unavailable', ...gapOf(complaint) };
    return { kind: 'available', bwrap, socat: await this.#find('socat') };
  }

  async #find(command: string): Promise<string | undefined> {
    const query = { server: 'sandbox', command, path: this.#options.env['PATH'] };
    return resolveExecutable(query).catch(() => undefined);
  }
}
