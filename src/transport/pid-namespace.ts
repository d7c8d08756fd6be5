import type { Clock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import type { Environment } from './child-environment.ts';
import { resolveExecutable } from './executable.ts';
import { hasUsableProc } from './process-tree.ts';
import { complaintOf } from './trial-run.ts';

export type NamespaceProbe =
  /** What to put before a command so that it runs as the first process of a namespace of its own. */
  | { readonly kind: 'available'; readonly prefix: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface PidNamespaceOptions {
  /** The environment in which `unshare` is looked for. */
  readonly env: Environment;
  readonly clock: Clock;
}

// A /proc of its own, or servers that look themselves up by pid would find a stranger; mounts of the host still arrive.
const FLAGS = ['--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'slave'];
const USER_FLAGS = ['--user', '--map-current-user'];

/** Knows whether this machine lets a server have a pid namespace, out of which no process escapes. */
export class PidNamespace {
  readonly #options: PidNamespaceOptions;
  #probe: Promise<NamespaceProbe> | undefined;

  constructor(options: PidNamespaceOptions) {
    this.#options = options;
  }

  /** Tries it once, by doing it. */
  probe(): Promise<NamespaceProbe> {
    this.#probe ??= this.#try();
    return this.#probe;
  }

  async #try(): Promise<NamespaceProbe> {
    if (!hasUsableProc()) return { kind: 'unavailable', reason: 'there is no /proc for our own pid namespace' };
    let unshare: string;
    try {
      const query = { server: 'pid namespace', command: 'unshare', path: this.#options.env['PATH'] };
      unshare = await resolveExecutable(query);
    } catch (error) {
      return { kind: 'unavailable', reason: messageOf(error) };
    }
    const ways = process.geteuid?.() === 0 ? [FLAGS, [...USER_FLAGS, ...FLAGS]] : [[...USER_FLAGS, ...FLAGS]];
    let reason = '';
    for (const flags of ways) {
      const prefix = [unshare, ...flags, '--'];
      const failure = await complaintOf([...prefix, 'true'], this.#options);
      if (failure === undefined) return { kind: 'available', prefix };
      reason = failure;
    }
    return { kind: 'unavailable', reason };
  }
}
