const TOOL = {
  name: 'echo',
  description: 'Says what it was told.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};
const METHOD_NOT_FOUND = -32_601;

/** The answer of the smallest server that a client can call: a handshake, one list, one tool that works. Nothing for a notification. */
export function answerTo({ id, method, params }, toolCount = 1) {
  if (id === undefined) return undefined;
  const result = resultOf(method, params, toolCount);
  if (result) return { jsonrpc: '2.0', id, result };
  return { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: `no method ${method}` } };
}

function resultOf(method, params, toolCount) {
  switch (method) {
    case 'tools/call':
      return { content: [{ type: 'text', text: params.arguments.text }] };
    case 'tools/list':
      return { tools: listTools(toolCount) };
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'tiny', version: '1.0.0' },
      };
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

/** The one that works comes last: whoever searches a list has to go through all of it. */
function listTools(count) {
  const others = Array.from({ length: count - 1 }, (_, index) => ({ ...TOOL, name: `unused_${index + 1}` }));
  return [...others, TOOL];
}
