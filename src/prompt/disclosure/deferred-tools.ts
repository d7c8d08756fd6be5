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

  /** Holds back the definitions of what was opened, if they are much together. */
  defer(tools: readonly Tool[]): 'deferred' | 'shown' {
    let characters = 0;
    for (const tool of tools) characters += definitionText(tool).length;
    if (toTokens(characters) <= this.#definitionTokens) return 'shown';
    for (const { name } of tools) this.#names.add(name);
    return 'deferred';
  }

  /** Shows the definitions of these from now on; gives the names that were held back. */
  define(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.#names.delete(name));
  }

  shown(tools: readonly Tool[]): readonly Tool[] {
    return this.#names.size === 0 ? tools : tools.filter(({ name }) => !this.#names.has(name));
  }
}
