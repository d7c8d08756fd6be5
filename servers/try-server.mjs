import { Caller } from '../dist/index.js';
import { inFolder } from './declare-server.mjs';

const CALL_TIMEOUT_MS = 30_000;

/** Asks a connected server for everything it offers and calls its one harmless tool; gives what was seen, unjudged. */
export async function tryServer(hub, entry, home) {
  const first = hub.serverStatus(entry.name);
  const isLate = first.status === 'connected' && entry.era === 'modern' && first.era === 'legacy';
  // A start that is too slow for the question of its era ends in the older one; what came late must count the next time.
  const status = isLate ? await hub.reconnect(entry.name).catch(() => hub.serverStatus(entry.name)) : first;
  const seen = {
    name: entry.name,
    package: entry.package,
    version: entry.version,
    note: isLate ? 'answered too late for its era; connected a second time' : entry.note,
    state: status.status,
    era: status.era,
    protocolVersion: status.protocolVersion,
    errorCode: status.errorCode,
    error: status.error,
    stderr: status.stderr,
    droppedMessages: status.droppedMessages ?? 0,
  };
  if (status.status !== 'connected') return seen;
  return {
    ...seen,
    ...countTools(status.tools),
    ...(await readLists(hub, entry.name)),
    call: await callOne(hub, entry, home),
  };
}

function countTools(tools) {
  const quarantined = tools.filter((tool) => tool.quarantined !== undefined);
  return {
    tools: tools.length - quarantined.length,
    quarantined: quarantined.map(({ name, quarantined: reason }) => `${name}: ${reason}`),
  };
}

async function readLists(hub, name) {
  return {
    resources: await attempt(async () => {
      const { resources, templates } = await hub.listResources(name);
      return resources.length + templates.length;
    }),
    prompts: await attempt(async () => (await hub.listPrompts(name)).length),
  };
}

async function attempt(read) {
  try {
    return { count: await read() };
  } catch (error) {
    return { errorCode: error.code, error: error.message };
  }
}

async function callOne(hub, { name, call }, home) {
  if (!call) return undefined;
  const options = { timeoutMs: CALL_TIMEOUT_MS };
  const report = await new Caller({ hub }).call(
    { server: name, tool: call.tool },
    inFolder(call.arguments, home),
    options,
  );
  return {
    tool: call.tool,
    outcome: report.outcome,
    message: report.message,
    note: call.note,
    durationMs: Math.round(report.durationMs),
  };
}
