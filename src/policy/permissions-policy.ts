import type { ToolRef, Trust } from '../call/tool-ref.ts';
import { ALLOW, ask, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import { permissionTable } from './permission-table.ts';
import type { PermissionSettings, PermissionTable } from './permission-table.ts';
import { toolCategory } from './tool-category.ts';
import type { ToolCategory } from './tool-category.ts';
import type { ToolPolicy } from './tool-policy.ts';

export interface PermissionsOptions extends PermissionSettings {
  readonly name?: string;
}

/** Decides by what a tool's annotations say and whether its server is trusted. */
export class PermissionsPolicy implements ToolPolicy {
  readonly name: string;
  readonly #table: PermissionTable;

  constructor(options: PermissionsOptions = {}) {
    const { name = 'permissions', ...settings } = options;
    this.name = name;
    this.#table = permissionTable(settings);
    Object.freeze(this);
  }

  admit(tool: ToolRef): Decision {
    const category = toolCategory(tool.annotations);
    const trust = tool.source === 'native' ? 'trusted' : tool.trust;
    const effect = this.#table[category][trust];
    if (effect === 'allow') return ALLOW;
    const fact = `${describe(tool)} ${IN_WORDS[category](tool)}`;
    if (effect === 'ask') return ask(`${fact}${wordOf(tool, category)}. Approve the call if it is meant.`);
    return deny(`${fact}${wordOf(tool, category)}. ${remedy(trust, category, this.name)}`);
  }
}

const IN_WORDS: Readonly<Record<ToolCategory, (tool: ToolRef) => string>> = {
  readOnly: () => 'changes nothing (readOnlyHint is true)',
  contained: () => 'destroys nothing and stays in its own world (destructiveHint and openWorldHint are false)',
  openWorld: ({ annotations }) =>
    annotations?.openWorldHint === true
      ? 'acts on the world outside (openWorldHint is true)'
      : 'may act on the world outside (openWorldHint is absent, which means true)',
  maybeDestructive: () => 'may destroy something (destructiveHint is absent, which means true)',
  destructive: () => 'may destroy something (destructiveHint is true)',
  unannotated: () => 'does not say what it does (it has no hints)',
};

function describe({ server, tool, name }: ToolRef): string {
  return server === undefined ? `Tool '${name}'` : `Tool '${tool}' of server '${server}'`;
}

/** Whose word it is: a native tool's hints are its author's own. */
function wordOf({ source, trust }: ToolRef, category: ToolCategory): string {
  if (source === 'native') return '';
  if (category === 'unannotated') return trust === 'trusted' ? '' : ', and its server is not trusted';
  return trust === 'trusted' ? ', by the word of a trusted server' : ', by the word of a server that is not trusted';
}

function remedy(trust: Trust, category: ToolCategory, policy: string): string {
  const key = category === 'maybeDestructive' ? 'destructive' : category;
  const change = `set '${key}' in the policy '${policy}'`;
  return `To use it, ${trust === 'trusted' ? change : `trust the server or ${change}`}.`;
}
