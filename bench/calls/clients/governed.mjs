import { Caller, Hub, McpServer, PatternPolicy, SequentialDependencyPolicy, Session } from '../../../dist/index.js';

const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** Ours with everything on: arguments checked, two policies, a transaction, an event to one listener, a trace. */
export async function openClient({ command, args }) {
  const hub = new Hub({ servers: [McpServer.stdio('tiny', command, args)] });
  const { pid } = await hub.connect('tiny');
  const session = new Session();
  let told = 0;
  session.dispatcher.subscribe('tool-invoked', () => {
    told += 1;
  });
  const policies = [
    new PatternPolicy({ deny: ['*/delete_*', '*/*(text=*rm -rf*)'] }),
    new SequentialDependencyPolicy({ 'tiny/publish': ['tiny/echo'] }),
  ];
  const caller = new Caller({ hub, session, policies });
  const [{ name }] = hub.tools();
  return {
    pid,
    call: async (text) => (await caller.call(name, { text }, { trace: TRACE })).content[0].text,
    close: async () => {
      if (told === 0) throw new Error('no event was heard');
      await hub.close();
    },
  };
}
