/** What must happen to get from one set of servers to another. */
export interface ServerDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly kept: readonly string[];
}

/** Compares two sets of servers by name; `isSame` says whether a definition is still the one in use. */
export function diffServers<Server>(
  current: ReadonlyMap<string, Server>,
  wanted: ReadonlyMap<string, Server>,
  isSame: (left: Server, right: Server) => boolean,
): ServerDiff {
  const added: string[] = [];
  const changed: string[] = [];
  const kept: string[] = [];
  for (const [name, server] of wanted) {
    const before = current.get(name);
    if (before === undefined) added.push(name);
    else if (isSame(before, server)) kept.push(name);
    else changed.push(name);
  }
  const removed = [...current.keys()].filter((name) => !wanted.has(name));
  return { added, removed, changed, kept };
}
