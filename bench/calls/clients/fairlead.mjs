import { Caller, Hub, McpServer } from '../../../dist/index.js';

/** Ours, by the only door that agents have: the caller, with a name from the list. */
export async function openClient({ command, args }) {
  const hub = new Hub({ servers: [McpServer.stdio('tiny', command, args)] });
  const { pid } = await hub.connect('tiny');
  const caller = new Caller({ hub });
  const [{ name }] = hub.tools();
  return {
    pid,
    call: async (text) => (await caller.call(name, { text })).content[0].text,
    close: () => hub.close(),
  };
}
