import { OWNER_VARIABLE } from './child-environment.ts';

/** One process, as /proc shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly state: string;
  /** The marks it inherited from its owners. */
  readonly owners: readonly string[];
}

/** Which processes belong together. */
export interface TreeQuery {
  /** Processes started as leaders of a session of their own. */
  readonly leaders: readonly number[];
  /** A hub's mark, or that of one of its servers. */
  readonly mark: string;
}

const TERM_BIT = 1n << 14n;

/** Reads /proc/PID/stat; undefined when it is no such text. */
export function parseStat(text: string): Omit<ProcessEntry, 'owners'> | undefined {
  // The name stands in parentheses and may itself contain spaces and parentheses.
  const nameEnd = text.lastIndexOf(')');
  const pid = Number.parseInt(text, 10);
  const [state, parent, group, session] = text.slice(nameEnd + 2).split(' ');
  if (nameEnd === -1 || Number.isNaN(pid) || state === undefined || session === undefined) return undefined;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), state };
}

/** Reads the owners' marks out of /proc/PID/environ. */
export function parseOwners(environ: string): readonly string[] {
  const prefix = `${OWNER_VARIABLE}=`;
  const entry = environ.split('\0').find((variable) => variable.startsWith(prefix));
  return entry?.slice(prefix.length).split(' ').filter(Boolean) ?? [];
}

/** Reads /proc/PID/task/TID/children. */
export function parseChildren(text: string): readonly number[] {
  return text.split(' ').map(Number).filter(Boolean);
}

/** Whether SIGTERM would reach a process, by its /proc/PID/status. */
export function noticesTerm(status: string): boolean {
  if (hasTerm(status, 'SigIgn')) return false;
  const pids = /^NSpid:\t(.*)$/m.exec(status)?.[1]?.split('\t') ?? [];
  // The first process of a namespace gets only the signals it has a handler for.
  const isFirstOfNamespace = pids.length > 1 && pids.at(-1) === '1';
  return !isFirstOfNamespace || hasTerm(status, 'SigCgt');
}

/** The living processes of a tree: the leaders' sessions and groups, everything marked, and all their descendants. */
export function treeOf(table: readonly ProcessEntry[], query: TreeQuery): readonly ProcessEntry[] {
  const leaders = new Set(query.leaders);
  const members = new Set<number>();
  for (const entry of table) {
    if (leaders.has(entry.session) || leaders.has(entry.group) || isMarked(entry, query.mark)) members.add(entry.pid);
  }
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const entry of table) if (members.has(entry.parent)) members.add(entry.pid);
  }
  return table.filter((entry) => members.has(entry.pid) && isAlive(entry));
}

function isMarked(entry: ProcessEntry, mark: string): boolean {
  return entry.owners.some((owner) => owner === mark || owner.startsWith(`${mark}/`));
}

/** A zombie is dead; only its parent has not looked yet. */
function isAlive(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X';
}

function hasTerm(status: string, field: 'SigIgn' | 'SigCgt'): boolean {
  const mask = new RegExp(`^${field}:\\t([0-9a-f]+)$`, 'm').exec(status)?.[1];
  return mask !== undefined && (BigInt(`0x${mask}`) & TERM_BIT) !== 0n;
}
