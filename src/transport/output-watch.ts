import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Clock, Timer } from '../clock.ts';
import type { TreeQuery } from './process-table.ts';
import { livingTree } from './process-tree.ts';

export interface OutputWatchOptions {
  /** The process that stands between us and the server, and keeps a copy of its output open. */
  readonly wrapper: number;
  /** Whether a process is of that kind. */
  readonly isWrapper: (pid: number) => boolean;
  /** The server itself, once it is there. */
  readonly serverPid: () => number | undefined;
  readonly tree: TreeQuery;
  readonly clock: Clock;
  readonly onClosed: () => void;
}

const INTERVAL_MS = 250;

/** Notices that a server behind a wrapper has closed its output, of which the wrapper's copy would never tell. */
export class OutputWatch {
  readonly #options: OutputWatchOptions;
  readonly #output: string | undefined;
  #holder = '';
  #timer: Timer | undefined;
  #isStopped = false;
  #isDoubtful = false;

  constructor(options: OutputWatchOptions) {
    this.#options = options;
    this.#output = linkOf(`/proc/${options.wrapper}/fd/1`);
    if (this.#output !== undefined) this.#lookLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #lookLater(): void {
    this.#timer = this.#options.clock.after(INTERVAL_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    const isHeld = await this.#isHeld();
    if (this.#isStopped) return;
    // Between the end of a server and that of its wrapper nobody holds it either, and the end says more.
    if (isHeld || !this.#isDoubtful) this.#lookLater();
    else this.#options.onClosed();
    this.#isDoubtful = !isHeld;
  }

  async #isHeld(): Promise<boolean> {
    if (this.#isOutput(this.#holder)) return true;
    // Nearly every server has it where it got it; only for the others all processes are looked through.
    this.#holder = `/proc/${this.#options.serverPid() ?? 'nobody'}/fd/1`;
    return this.#isOutput(this.#holder) || this.#isHeldInTree();
  }

  async #isHeldInTree(): Promise<boolean> {
    const { tree, isWrapper } = this.#options;
    const others = (await livingTree(tree)).filter(({ pid }) => !isWrapper(pid));
    // With nobody left the wrapper is about to exit, and says more by that.
    if (others.length === 0) return true;
    for (const { pid } of others) {
      const files = await readdir(`/proc/${pid}/fd`).catch(() => undefined);
      // What cannot be looked into may hold it.
      if (!files) return true;
      for (const file of files) {
        this.#holder = `/proc/${pid}/fd/${file}`;
        if (this.#isOutput(this.#holder)) return true;
      }
    }
    return false;
  }

  #isOutput(file: string): boolean {
    return linkOf(file) === this.#output;
  }
}

/** Waits for no disk, so that asking directly is cheapest. */
function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
