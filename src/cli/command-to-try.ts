import type { ToolSpec } from '../tools/tool-spec.ts';
import type { JudgeTool } from './refused-tools.ts';

/** The words of a command that works with what is connected now; it calls a tool only where that changes nothing. */
export function commandToTry(tools: readonly ToolSpec[], judge: JudgeTool = () => 'free'): readonly string[] {
  const isHarmless = (tool: ToolSpec): boolean => tool.annotations?.readOnlyHint === true && requiresNothing(tool);
  const harmless = tools.find((tool) => isHarmless(tool) && judge(tool) === 'free');
  if (harmless) return ['call', harmless.server, harmless.tool];
  const first = tools.find((tool) => judge(tool) !== 'refused');
  return first ? ['tools', first.server] : ['doctor'];
}

function requiresNothing({ inputSchema }: ToolSpec): boolean {
  const required = inputSchema['required'];
  return !Array.isArray(required) || required.length === 0;
}
