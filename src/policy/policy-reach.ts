import type { ToolRef } from '../call/tool-ref.ts';
import type { PolicyScope } from './tool-policy.ts';

/** Whether a policy that stands there decides on this tool. */
export function coversTool(scope: PolicyScope, tool: ToolRef): boolean {
  switch (scope.kind) {
    case 'server':
      return tool.server === scope.server;
    case 'section':
      return scope.covers(tool);
    case 'tool':
      return tool.source === 'native' && tool.name === scope.name;
    case 'template':
      return true;
  }
}

/** Tells the places of one policy apart, for what it remembers. */
export function scopeKey(scope: PolicyScope): string {
  switch (scope.kind) {
    case 'server':
      return `server ${scope.server}`;
    case 'section':
      return `section ${scope.section}`;
    case 'tool':
      return `tool ${scope.name}`;
    case 'template':
      return 'template';
  }
}
