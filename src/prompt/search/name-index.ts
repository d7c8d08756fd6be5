/** The tools that a name may mean, by every way to write it. */
export interface NamedTool {
  /** What an agent calls it. */
  readonly name: string;
  /** The server's own name for it, if that is another. */
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
}

const SELECT = /^\s*select:/i;
const MAX_SELECTED = 100;
const MAX_ASKED_LENGTH = 600;

/** The names in `select:a,b`, or nothing if the query is no such list. */
export function selectedNames(query: string): readonly string[] | undefined {
  if (!SELECT.test(query)) return undefined;
  const names = query.replace(SELECT, '').split(/[,\n]/);
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MAX_SELECTED);
}

/** Finds tools by their full name, else by their server's name for them, else by the end of a name. */
export class NameIndex {
  // From the narrowest meaning of a name to the widest; the first that knows the name answers.
  readonly #levels: readonly Map<string, string[]>[] = [new Map(), new Map(), new Map()];

  add(tool: NamedTool): void {
    for (const [level, names] of namesOf(tool).entries())
      for (const name of names) addTo(this.#levels[level], name, tool.name);
  }

  remove(tool: NamedTool): void {
    for (const [level, names] of namesOf(tool).entries())
      for (const name of names) removeFrom(this.#levels[level], name, tool.name);
  }

  /** The agent's names of the tools that are called so, sorted. */
  find(asked: string): readonly string[] {
    const literal = asked.trim();
    if (literal.length > MAX_ASKED_LENGTH) return [];
    const plain = plainName(literal);
    for (const [level, form] of [literal, literal, plain].entries()) {
      const found = this.#levels[level]?.get(form);
      if (found) return found.toSorted();
    }
    // What has spaces in it is a phrase, and one word alone, such as `file`, a subject.
    return /\s/.test(literal) || !plain.includes('_') ? [] : this.#findEnding(`_${plain}`);
  }

  #findEnding(ending: string): readonly string[] {
    const found = new Set<string>();
    for (const [plain, tools] of this.#levels[2] ?? []) {
      if (plain.endsWith(ending)) for (const tool of tools) found.add(tool);
    }
    return [...found].toSorted();
  }
}

function namesOf({ name, tool = name, server = '' }: NamedTool): readonly (readonly string[])[] {
  const plain = plainName(name);
  const own = tool === name ? plain : plainName(tool);
  const qualified = server === '' ? own : `${plainName(server)}_${own}`;
  return [[name], distinct([tool, `${server}/${tool}`]), distinct([plain, own, qualified])];
}

/** `createIssue`, `create-issue` and `Create issue` are one name. */
function plainName(name: string): string {
  return name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

function addTo(level: Map<string, string[]> | undefined, name: string, tool: string): void {
  const tools = level?.get(name);
  if (tools) tools.push(tool);
  else level?.set(name, [tool]);
}

function removeFrom(level: Map<string, string[]> | undefined, name: string, tool: string): void {
  const kept = level?.get(name)?.filter((other) => other !== tool) ?? [];
  if (kept.length > 0) level?.set(name, kept);
  else level?.delete(name);
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => name !== '');
}
