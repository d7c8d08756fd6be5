import { createHook } from 'node:async_hooks';
import type { AsyncHook } from 'node:async_hooks';
import { readdirSync } from 'node:fs';
import { settle } from '../fixtures/manual-clock.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { childrenOf } from './descendants.ts';

/** What has been left behind. */
export interface Leftovers {
  readonly processes: readonly number[];
  /** One line for each thing that there is too much of. */
  readonly descriptions: readonly string[];
}

/** Remembers what this process holds, and tells what it holds beyond that later. */
export class Holdings implements Disposable {
  readonly #children = childrenOf(process.pid);
  readonly #handles = countHandles();
  readonly #openFiles = countOpenFiles();
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #hook: AsyncHook;

  constructor() {
    // Timers come and go with the test runner too: a count would take one that ended for one that was left.
    this.#hook = createHook({
      init: (id, type, _trigger, resource) => {
        if (type === 'Timeout') this.#timers.set(id, resource as NodeJS.Timeout);
      },
      destroy: (id) => this.#timers.delete(id),
    }).enable();
  }

  /** What there is more of now; the mark finds processes that are nobody's children any more. */
  async leftovers(mark: string): Promise<Leftovers> {
    // Node tells of the end of a timer a moment later.
    await settle();
    const children = childrenOf(process.pid).filter((pid) => !this.#children.includes(pid));
    const processes = [...new Set([...children, ...processesMarked(mark)])];
    const handles = [...countHandles()].filter(([kind, count]) => count > (this.#handles.get(kind) ?? 0));
    const timers = [...this.#timers.values()].filter((timer) => timer.hasRef()).length;
    const files = countOpenFiles() - this.#openFiles;
    return {
      processes,
      descriptions: [
        ...processes.map((pid) => `process ${pid} is alive`),
        ...handles.map(([kind, count]) => `${count} ${kind} instead of ${this.#handles.get(kind) ?? 0}`),
        ...(timers > 0 ? [`timers set: ${timers}`] : []),
        ...(files > 0 ? [`more files open: ${files}`] : []),
      ],
    };
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
  }
}

/** What keeps the event loop alive beside timers, by kind. */
function countHandles(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind !== 'Timeout') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function countOpenFiles(): number {
  return readdirSync('/proc/self/fd').length;
}
