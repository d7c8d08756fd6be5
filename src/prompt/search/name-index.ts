import { asciiWords, isAscii } from './search-words.ts';

/** The tools that a name may mean, by every way to write it. */
export interface NamedTool {
  /** What an agent calls it. */
  readonly name: string;
  /** The server's own name for it, if that is another. */
  readonly tool?: string | undefined;
  readonly server?: string | undefined;
}

type Names = Map<string, string[]>;

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
  readonly #levels: readonly [Names, Names, Names] = [new Map(), new Map(), new Map()];

  add(tool: NamedTool): void {
    this.#eachName(tool, addTo);
  }

  remove(tool: NamedTool): void {
    this.#eachName(tool, removeFrom);
  }

  /** The agent's names of the tools that are called so, sorted. */
  find(asked: string): readonly string[] {
    const literal = asked.trim();
    if (literal.length > MAX_ASKED_LENGTH) return [];
    const plain = plainName(literal);
    const [full, own, written] = this.#levels;
    const found = full.get(literal) ?? own.get(literal) ?? written.get(plain);
    if (found) return found.toSorted();
    // What has spaces in it is a phrase, and one word alone, such as `file`, a subject.
    return /\s/.test(literal) || !plain.includes('_') ? [] : this.#findEnding(`_${plain}`);
  }

  #eachName({ name, tool = name, server = '' }: NamedTool, change: typeof addTo): void {
    const [full, own, written] = this.#levels;
    const plain = plainName(name);
    const plainOwn = tool === name ? plain : plainName(tool);
    change(full, name, name);
    change(own, tool, name);
    change(own, `${server}/${tool}`, name);
    if (plain !== '') change(written, plain, name);
    if (plainOwn !== '') change(written, plainOwn, name);
    if (server !== '') change(written, `${plainName(server)}_${plainOwn}`, name);
  }

  #findEnding(ending: string): readonly string[] {
    const found = new Set<string>();
    for (const [plain, tools] of this.#levels[2]) {
      if (plain.endsWith(ending)) for (const tool of tools) found.add(tool);
    }
    return [...found].toSorted();
  }
}

/** `createIssue`, `create-issue` and `Create issue` are one name. */
function plainName(name: string): string {
  // For ASCII the same as below at a fraction of the cost, and there are thousands of names.
  if (isAscii(name)) return asciiWords(name).join('_').toLowerCase();
  return name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** A tool has a name once, however many ways to write it come to the same. */
function addTo(names: Names, name: string, tool: string): void {
  const tools = names.get(name);
  if (!tools) names.set(name, [tool]);
  else if (tools.at(-1) !== tool) tools.push(tool);
}

function removeFrom(names: Names, name: string, tool: string): void {
  const kept = names.get(name)?.filter((other) => other !== tool) ?? [];
  if (kept.length > 0) names.set(name, kept);
  else names.delete(name);
}
