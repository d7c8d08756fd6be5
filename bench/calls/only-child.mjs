import { readdirSync, readFileSync } from 'node:fs';

/** The pid of the server of a client that does not tell it; undefined where the system does not say. */
export function onlyChild() {
  try {
    const threads = readdirSync(`/proc/${process.pid}/task`);
    const children = threads.map((thread) => readFileSync(`/proc/${process.pid}/task/${thread}/children`, 'utf8'));
    return Number(children.join(' ').trim().split(/\s+/)[0]);
  } catch {
    return undefined;
  }
}
