import type { ToolRef } from '../call/tool-ref.ts';
import type { McpServer } from '../config/server.ts';
import type { PolicyScope } from '../policy/tool-policy.ts';
import { PromptValidationError } from './prompt-errors.ts';
import type { SectionNode } from './prompt-plan.ts';
import type { SectionTool } from './section.ts';

/** An open section and what it brought. */
export interface OpenSection {
  readonly node: SectionNode;
  readonly tools: readonly SectionTool[];
  readonly mcps: readonly McpServer[];
}

/** Refuses two tools of one name, naming both places. */
export function requireDistinctTools(
  ofTemplate: readonly SectionTool[],
  sections: readonly { readonly path: string; readonly tools: readonly SectionTool[] }[],
): void {
  const owners = new Map<string, string>();
  const add = (tools: readonly SectionTool[], owner: string): void => {
    for (const { name } of tools) {
      const other = owners.get(name);
      if (other !== undefined) {
        throw new PromptValidationError(`two tools are called '${name}': one of ${other}, one of ${owner}`);
      }
      owners.set(name, owner);
    }
  };
  add(ofTemplate, 'the template');
  for (const { path, tools } of sections) add(tools, `section '${path}'`);
}

/** Which open sections a tool belongs to; read off only when a policy asks. */
export class ToolOwners {
  readonly #open: readonly OpenSection[];
  #byTool: ReadonlyMap<string, number> | undefined;
  #byServer: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(open: readonly OpenSection[]) {
    this.#open = open;
  }

  /** Where a policy of this section stands: above its own tools and servers, and those of the sections within it. */
  scopeOf(node: SectionNode): PolicyScope {
    return { kind: 'section', section: node.path, covers: (tool) => this.#isWithin(node, tool) };
  }

  #isWithin({ index, end }: SectionNode, { name, server }: ToolRef): boolean {
    this.#byTool ??= this.#indexTools();
    const owner = this.#byTool.get(name);
    if (owner !== undefined && owner >= index && owner < end) return true;
    if (server === undefined) return false;
    this.#byServer ??= this.#indexServers();
    return (this.#byServer.get(server) ?? []).some((declaring) => declaring >= index && declaring < end);
  }

  #indexTools(): ReadonlyMap<string, number> {
    const owners = new Map<string, number>();
    for (const { node, tools } of this.#open) for (const { name } of tools) owners.set(name, node.index);
    return owners;
  }

  /** Several sections may declare one server; each of them has it. */
  #indexServers(): ReadonlyMap<string, readonly number[]> {
    const owners = new Map<string, number[]>();
    for (const { node, mcps } of this.#open) {
      for (const { name } of mcps) {
        const declaring = owners.get(name);
        if (declaring) declaring.push(node.index);
        else owners.set(name, [node.index]);
      }
    }
    return owners;
  }
}
