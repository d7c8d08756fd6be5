import { Caller } from '../../src/bridge/caller.ts';
import { Emitter } from '../../src/emitter.ts';
import { HubView } from '../../src/hub/hub-view.ts';
import { LocalHub } from '../../src/hub/local-hub.ts';
import { Session } from '../../src/session/session.ts';
import { CliFolder } from '../cli/cli-folder.ts';
import type { RunOptions } from '../cli/cli-folder.ts';
import { commandEnvironment } from './command-environment.ts';
import { noteSink } from './sink-watch.ts';

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;
type Look = (result: unknown, args: readonly unknown[]) => void;

// What these return is made by Fairlead; what the others return is a server's answer to its caller.
const TOLD: Readonly<Record<string, string>> = {
  connect: 'statuses',
  connectAll: 'statuses',
  reconnect: 'statuses',
  setServers: 'statuses',
  status: 'statuses',
  serverStatus: 'statuses',
  tools: 'tools',
  quarantinedTools: 'tools',
  findTool: 'tools',
  listResources: 'tools',
  listPrompts: 'tools',
};
const ANSWERS = ['callTool', 'readResource', 'followResource', 'getPrompt', 'wake', 'disconnect', 'close'];

/** Has everything searched that the classes of Fairlead hand out. */
export function watchClasses(): void {
  for (const [name, sink] of Object.entries(TOLD)) watchMethod(HubView.prototype, name, (told) => noteSink(sink, told));
  for (const name of ANSWERS) watchMethod(HubView.prototype, name);
  watchMethod(LocalHub.prototype, 'close');
  watchMethod(Session.prototype, 'snapshot', (snapshot) => noteSink('snapshots', snapshot));
  watchMethod(Emitter.prototype, 'emit', (_, [type, event]) => noteEvent(type, event));
  watchMethod(Caller.prototype, 'call', noteReport);
  const { start } = CliFolder.prototype;
  CliFolder.prototype.start = function startWatched(args, options?: RunOptions) {
    return start.call(this, args, { ...options, env: commandEnvironment(options?.env ?? {}) });
  };
}

/** Events have a type; what the parts of a hub tell each other has none. */
function noteEvent(type: unknown, event: unknown): void {
  if (typeof event === 'object' && event !== null && 'type' in event) noteSink(`event ${String(type)}`, event);
}

/** The answer to a call that went well is for the agent. */
function noteReport(report: unknown): void {
  const { content, structuredContent, ...told } = report as Awaited<ReturnType<Caller['call']>>;
  noteSink('reports', told.success ? told : { ...told, content, structuredContent });
}

/** Every failure is searched, and the result by whoever knows how. */
function watchMethod(prototype: object, name: string, look: Look = () => undefined): void {
  const method = Reflect.get(prototype, name) as Method;
  const failed = (error: unknown): never => {
    noteSink('errors', error);
    throw error;
  };
  const watched: Method = function watched(...args) {
    try {
      const result = Reflect.apply(method, this, args);
      if (!(result instanceof Promise)) {
        look(result, args);
        return result;
      }
      return result.then((value: unknown) => {
        look(value, args);
        return value;
      }, failed);
    } catch (error) {
      return failed(error);
    }
  };
  Object.defineProperty(prototype, name, { value: watched, writable: true, configurable: true });
}
