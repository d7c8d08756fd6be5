import type { ToolSpec } from '../tools/tool-spec.ts';

/** The words of a command that works with what is connected now; it calls a tool only where that changes nothing. */
export function commandToTry(tools: readonly ToolSpec[]): readonly string[] {
  const harmless = tools.find((tool) => tool.annotations?.readOnlyHint === true && requiresNothing(tool));
  if (harmless) return ['call', harmless.server, harmless.tool];
  const [first] = tools;
  return first ? ['tools', first.server] : ['doctor'];
}

function requiresNothing({ inputSchema }: ToolSpec): boolean {
  const required = inputSchema['required'];
  return !Array.isArray(required) || required.length === 0;
}
