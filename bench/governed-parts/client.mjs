import { statSync } from 'node:fs';
import { McpServer, PatternPolicy } from '../../dist/index.js';
import { EventLog } from '../../dist/session/event-log.js';
import { openGoverned } from '../calls/clients/governed.mjs';
import { manyTiny } from '../tiny/command.mjs';

/** The governed client with one thing more than usual. */
export async function openClient(_server, { servers = 1, toolsEach = 1, policies = 0, listeners = 1, logFile }) {
  const declared = manyTiny(servers, toolsEach).map(({ name, command, args }) => McpServer.stdio(name, command, args));
  const failures = [];
  const log = logFile && (await EventLog.open({ file: logFile, onError: (error) => failures.push(error) }));
  const client = await openGoverned(declared, { policies: morePolicies(policies), listeners, log });
  return {
    ...client,
    close: async () => {
      await client.close();
      await log?.close();
      if (failures.length > 0) throw failures[0];
      if (log && statSync(logFile).size === 0) throw new Error('nothing was logged');
    },
  };
}

/** Each has to look at the arguments of every call. */
function morePolicies(count) {
  return Array.from({ length: count }, (_, index) => new PatternPolicy({ deny: [`*/*(text=*secret ${index}*)`] }));
}
