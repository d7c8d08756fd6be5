import { spawn } from 'node:child_process';

/** The least that a call can cost: a line into the pipe, a line out of it, and a table of who waits for which. */
export async function openClient({ command, args }) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = `${held}${text}`.split('\n');
    held = lines.pop();
    for (const line of lines) {
      const { id, result } = JSON.parse(line);
      waiting.get(id)(result);
      waiting.delete(id);
    }
  });
  let nextId = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      nextId += 1;
      waiting.set(nextId, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: nextId, method, params })}\n`);
    });
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw' } });
  return {
    pid: child.pid,
    call: async (text) => (await request('tools/call', { name: 'echo', arguments: { text } })).content[0].text,
    close: async () => child.stdin.end(),
  };
}
