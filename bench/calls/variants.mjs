/** The libraries that make tools of agents from the tools of MCP servers, each by the name of its file in `clients`. */
export const BRIDGES = {
  'ai-sdk': '@ai-sdk/mcp',
  'openai-agents': '@openai/agents',
  langchain: '@langchain/mcp-adapters',
  mastra: '@mastra/mcp',
};

/** Everyone who is measured. */
export const LABELS = {
  'raw-pipe': 'raw pipe',
  'sdk-v1': 'SDK v1',
  'sdk-v2': 'SDK v2',
  ...BRIDGES,
  fairlead: 'Fairlead, plain',
  governed: 'Fairlead, governed',
};
