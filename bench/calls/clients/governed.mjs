import { Caller, Hub, McpServer, PatternPolicy, SequentialDependencyPolicy, Session } from '../../../dist/index.js';

const TRACE = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

/** Ours with everything on: arguments checked, two policies, a transaction, an event to one listener, a trace. */
export function openClient({ command, args }) {
  return openGoverned([McpServer.stdio('tiny', command, args)], {});
}

/** The same with more of it; of several servers the first is called. */
export async function openGoverned(servers, { policies = [], listeners = 1, log }) {
  const hub = new Hub({ servers });
  const [{ name: server }] = servers;
  const statuses = await hub.connectAll();
  if (statuses.some(({ phase }) => phase !== 'connected')) throw new Error('a server is not connected');
  const session = new Session();
  const events = listenTo(session, listeners, log);
  const own = [
    new PatternPolicy({ deny: ['*/delete_*', '*/*(text=*rm -rf*)'] }),
    new SequentialDependencyPolicy({ [`${server}/publish`]: [`${server}/echo`] }),
  ];
  const caller = new Caller({ hub, session, policies: [...own, ...policies] });
  const { name } = hub.tools(server).find(({ tool }) => tool === 'echo');
  let made = 0;
  return {
    pid: statuses.find((status) => status.name === server).pid,
    call: async (text) => {
      made += 1;
      return (await caller.call(name, { text }, { trace: TRACE })).content[0].text;
    },
    close: async () => {
      if (events.heard !== made * listeners) throw new Error(`${events.heard} events were heard of ${made} calls`);
      await hub.close();
    },
  };
}

function listenTo({ dispatcher }, listeners, log) {
  const events = { heard: 0 };
  for (let index = 0; index < listeners; index += 1)
    dispatcher.subscribe('tool-invoked', () => {
      events.heard += 1;
    });
  for (const type of log ? ['tool-started', 'tool-invoked'] : [])
    dispatcher.subscribe(type, (event) => log.write(event));
  return events;
}
