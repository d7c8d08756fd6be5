/** Which of a server's own tools are offered: an allow list (none means all), then a block list. */
export interface ToolFilter {
  readonly enabledTools?: readonly string[] | undefined;
  readonly disabledTools: readonly string[];
}

/** Whether the filter lets a tool through. */
export function isOffered(filter: ToolFilter, tool: string): boolean {
  if (filter.enabledTools && !filter.enabledTools.includes(tool)) return false;
  return !filter.disabledTools.includes(tool);
}

/** Names in the filter that the server does not have: a typing mistake, or a tool that is gone. */
export function unknownInFilter(filter: ToolFilter, tools: readonly string[]): readonly string[] {
  const known = new Set(tools);
  return [...new Set([...(filter.enabledTools ?? []), ...filter.disabledTools])].filter((name) => !known.has(name));
}
