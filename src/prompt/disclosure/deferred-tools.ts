import type { Tool } from '../../bridge/tool.ts';
import { toTokens } from '../prompt-tokens.ts';
import { definitionText } from './definition-text.ts';

/** Tools that an agent knows by name and may call, but whose definitions it has not asked for: a large section costs a line each. */
export class DeferredTools {
  readonly #definitionTokens: number;
  readonly #names = new Set<string>();

  constructor(definitionTokens: number) {
    this.#definitionTokens = definitionTokens;
  }

  /** The names of those that are held back now. */
  get names(): ReadonlySet<string> {
    return new Set(this.#names);
  }

  /** Holds back the definitions of what was opened, if they are much together. */
  defer(tools: readonly Tool[]): 'deferred' | 'shown' {
    let characters = 0;
    for (const tool of tools) characters += definitionText(tool).length;
    const isMuch = toTokens(characters) > this.#definitionTokens;
    for (const { name } of tools) {
      if (isMuch) this.#names.add(name);
      else this.#names.delete(name);
    }
    return isMuch ? 'deferred' : 'shown';
  }

  /** Shows the definitions of these from now on; gives the names that were held back. */
  define(names: Iterable<string>): readonly string[] {
    return [...names].filter((name) => this.#names.delete(name));
  }

  /** Holds back none but these: what was opened since was closed again. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#names) if (!names.has(name)) this.#names.delete(name);
  }

  shown(tools: readonly Tool[]): readonly Tool[] {
    return this.#names.size === 0 ? tools : tools.filter(({ name }) => !this.#names.has(name));
  }

  heldBack(tools: readonly Tool[]): readonly Tool[] {
    return this.#names.size === 0 ? [] : tools.filter(({ name }) => this.#names.has(name));
  }
}
