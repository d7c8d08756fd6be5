import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { sleep, systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Confinement } from '../isolation/confinement.ts';
import type { Logger } from '../logger.ts';
import { OutputWatch } from './output-watch.ts';
import { exitBehindBubblewrap, exitBehindUnshare, exitOf } from './process-exit.ts';
import type { ProcessExit, ServerChild } from './process-exit.ts';
import { parseChildren } from './process-table.ts';
import type { TreeQuery } from './process-table.ts';
import { killTree, livingTree, terminateTree } from './process-tree.ts';
import { settlesWithin } from './settles-within.ts';

/** What stands between us and the server: one that makes a pid namespace, with which every process of the tree dies. */
export type Wrapper = 'none' | 'unshare' | 'bwrap';

/** How long a server may take to end by itself, after end of input and again after SIGTERM. */
export interface Patience {
  readonly clock: Clock;
  readonly graceMs: number;
}

export interface ServerProcessOptions {
  /** The server's name, for messages. */
  readonly server: string;
  readonly child: ServerChild;
  readonly mark: string;
  readonly wrapper: Wrapper;
  /** What holds the server, if it is under isolation. */
  readonly confinement?: Confinement | undefined;
  readonly logger: Logger;
}

const EXITS: Readonly<Record<Wrapper, (child: ServerChild) => Promise<ProcessExit>>> = {
  none: exitOf,
  unshare: exitBehindUnshare,
  bwrap: exitBehindBubblewrap,
};
// The kernel takes real time to end a process, whatever clock a caller goes by.
const KERNEL_CLOCK = systemClock;
const LOOK_AGAIN_MS = 50;

/** One running server and every process that it started. */
export class ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The server's own process has ended. */
  readonly exited: Promise<ProcessExit>;
  /** No process of the tree is left. */
  readonly gone: Promise<void>;
  readonly #options: ServerProcessOptions;
  readonly #tree: TreeQuery;
  readonly #condemned = new AbortController();
  #asking: Promise<void> | undefined;
  #exit: ProcessExit | undefined;
  #serverPid: number | undefined;

  constructor(options: ServerProcessOptions) {
    const { child, mark } = options;
    this.#options = options;
    this.#tree = { leaders: [child.pid], mark };
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    // A pipe that breaks must not end our own process; whoever reads or writes it sees that for himself.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.exited = EXITS[options.wrapper](child);
    void this.exited.then((exit) => {
      this.#exit = exit;
    });
    this.gone = this.#untilGone();
  }

  /** The pid of the server itself while it lives, not that of the wrapper around its namespace. */
  get pid(): number | undefined {
    if (this.#exit) return undefined;
    const { child, wrapper } = this.#options;
    if (wrapper === 'none') return child.pid;
    this.#serverPid ??= this.#behindWrappers();
    return this.#serverPid ?? child.pid;
  }

  get confinement(): Confinement | undefined {
    return this.#options.confinement;
  }

  /** Tells when the server has closed its output, where the stream's own end would not; returns what stops it. */
  watchOutput(clock: Clock, onClosed: () => void): () => void {
    const { wrapper, child } = this.#options;
    if (wrapper === 'none') return () => undefined;
    const isWrapper = (pid: number): boolean => this.#isWrapper(pid);
    const watch = new OutputWatch({
      wrapper: child.pid,
      isWrapper,
      serverPid: () => this.#behindWrappers(),
      tree: this.#tree,
      clock,
      onClosed,
    });
    return () => watch.stop();
  }

  /** End of input, then SIGTERM, then SIGKILL; returns when nothing is left of the tree. */
  async terminate(patience: Patience): Promise<void> {
    if (!this.#exit) this.#asking ??= this.#ask(patience);
    await this.gone;
  }

  /** Kills the whole tree at once. */
  async kill(): Promise<void> {
    this.#condemned.abort();
    await this.gone;
  }

  async #ask({ clock, graceMs }: Patience): Promise<void> {
    const limit = { clock, ms: graceMs, signal: this.#condemned.signal };
    this.stdin.end();
    if (await settlesWithin(this.exited, limit)) return;
    const isServers = (pid: number): boolean => this.#options.wrapper === 'none' || !this.#isWrapper(pid);
    // The wrapper must stay to tell how the server ended.
    const isNoticed = await terminateTree(this.#tree, isServers);
    if (isNoticed) await this.#treeEnds({ clock, graceMs });
    this.#condemned.abort();
  }

  /** A wrapper often ends at once on SIGTERM while the server behind it is still putting its things in order. */
  async #treeEnds({ clock, graceMs }: Patience): Promise<void> {
    const { signal } = this.#condemned;
    let isTimeUp = false;
    const timer = clock.after(graceMs, () => {
      isTimeUp = true;
    });
    while (!isTimeUp && !signal.aborted) {
      if (this.#exit && (await livingTree(this.#tree)).length === 0) break;
      const change = this.#exit ? sleep(KERNEL_CLOCK, LOOK_AGAIN_MS) : this.exited;
      await settlesWithin(change, { clock: KERNEL_CLOCK, ms: LOOK_AGAIN_MS, signal });
    }
    timer.cancel();
  }

  async #untilGone(): Promise<void> {
    await Promise.race([this.exited, aborted(this.#condemned.signal)]);
    await this.#asking;
    if (this.#tookItsTreeAlong()) return;
    const survivors = await killTree(this.#tree, KERNEL_CLOCK);
    if (survivors.length === 0) {
      await this.exited;
      return;
    }
    const { logger, server } = this.#options;
    logger.log('error', 'processes of a server cannot be killed', { server, pids: survivors });
  }

  /** The kernel lets a namespace's first process end only after all others in it. */
  #tookItsTreeAlong(): boolean {
    // Bubblewrap ends a moment before its namespace does.
    return this.#options.wrapper === 'unshare' && this.#exit?.signal === null;
  }

  #isWrapper(pid: number): boolean {
    const { child, wrapper } = this.#options;
    return pid === child.pid || (wrapper === 'bwrap' && pid === firstChildOf(child.pid));
  }

  /** Bubblewrap has two processes of its own: one outside, and the first of the namespace. */
  #behindWrappers(): number | undefined {
    const { child, wrapper } = this.#options;
    const first = firstChildOf(child.pid);
    return first === undefined || wrapper === 'unshare' ? first : firstChildOf(first);
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function firstChildOf(pid: number): number | undefined {
  try {
    return parseChildren(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'))[0];
  } catch {
    return undefined;
  }
}
