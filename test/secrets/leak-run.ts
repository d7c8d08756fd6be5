import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ALLOW,
  ask,
  callbackBroker,
  Caller,
  createFileEraStore,
  defineTool,
  deny,
  dotenvSource,
  environmentSource,
  EventLog,
  FileCatalogCache,
  Hub,
  McpServer,
  Session,
  systemClock,
  ToolCallLog,
} from '../../src/index.ts';
import type { CallReport, HubEvents, SessionEvents, ToolPolicy } from '../../src/index.ts';
import { fixturePath } from '../fixtures/fixture-paths.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { RecordingTracer } from '../fixtures/recording-tracer.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { HTTP_LEAKS, startLeakyHttp } from './leaky-http.ts';
import type { PlantedSecrets } from './planted-secrets.ts';

/** Everything that Fairlead writes down, shows or throws. */
export const SINKS = [
  'logs',
  'hub events',
  'session events',
  'event log',
  'errors',
  'reports',
  'statuses',
  'tools',
  'spans',
  'snapshot',
  'catalogs',
  'eras',
] as const;

export type Sinks = Readonly<Record<(typeof SINKS)[number], unknown[]>>;

const HUB_EVENTS: Readonly<Record<keyof HubEvents, true>> = {
  'server-connected': true,
  'server-disconnected': true,
  'server-failed': true,
  'server-changed': true,
  'tools-changed': true,
  'resource-changed': true,
  'tool-quarantined': true,
  'sandbox-denied': true,
};
const SESSION_EVENTS: Readonly<Record<keyof SessionEvents, true>> = {
  'tool-started': true,
  'tool-invoked': true,
  'approval-asked': true,
  'approval-decided': true,
  'prompt-rendered': true,
  'prompt-executed': true,
  'sections-opened': true,
};

/** Gives secrets to servers that tell them in every way, and collects what comes of it. */
export async function runLeaks(secrets: PlantedSecrets): Promise<Sinks> {
  await using folder = await openTemporaryFolder();
  await using bench = await LeakBench.open(secrets, folder);
  await Promise.all([bench.useProcesses(), bench.useRemotes()]);
  // What is secret is known from the first use of a server that holds it.
  await bench.useOwnTools();
  return await bench.end();
}

class LeakBench implements AsyncDisposable {
  readonly #sinks = Object.fromEntries(SINKS.map((name) => [name, []])) as unknown as Sinks;
  readonly #secrets: PlantedSecrets;
  readonly #folder: TemporaryFolder;
  readonly #logger = new RecordingLogger();
  readonly #tracer = new RecordingTracer();
  readonly #hub: Hub;
  readonly #session: Session;
  readonly #caller: Caller;
  #eventLog: EventLog | undefined;

  private constructor(secrets: PlantedSecrets, folder: TemporaryFolder) {
    this.#secrets = secrets;
    this.#folder = folder;
    const { lines, ...others } = secrets;
    writeFileSync(folder.file('.env'), `LINES=${JSON.stringify(lines)}\n`);
    this.#hub = new Hub({
      secrets: [environmentSource(upperCased(others)), dotenvSource(folder.file('.env'))],
      logger: this.#logger,
      catalogs: new FileCatalogCache(folder.file('catalogs'), systemClock),
      eras: createFileEraStore(folder.file('eras.json')),
      random: () => 0,
    });
    this.#session = new Session({ slices: [ToolCallLog] });
    this.#caller = new Caller({
      hub: this.#hub,
      session: this.#session,
      tracer: this.#tracer,
      tools: ownTools(secrets),
      policies: [chattyPolicy(secrets)],
      approval: callbackBroker(async () => ({ approved: false, by: secrets.quotes, reason: `no: ${secrets.foreign}` })),
    });
  }

  static async open(secrets: PlantedSecrets, folder: TemporaryFolder): Promise<LeakBench> {
    const bench = new LeakBench(secrets, folder);
    bench.#eventLog = await EventLog.open({ file: folder.file('events.jsonl'), scrubber: bench.#hub.scrubber });
    bench.#listen();
    return bench;
  }

  /** Servers over stdio: healthy ones, one that exits, one of another version, and some that cannot be started. */
  async useProcesses(): Promise<void> {
    const leaky = (name: string, ...args: readonly string[]): McpServer =>
      McpServer.stdio(name, process.execPath, [fixturePath('leaky-server.mjs'), ...args], { env: this.#env() });
    const { slashes, foreign } = this.#secrets;
    const args = ['--token', '${QUOTES}', '${FOREIGN}'];
    const command = './no-such-program-${QUOTES}';
    const servers = [
      leaky('exits', 'exit'),
      leaky('odd', 'odd-version'),
      leaky('missing').with({ transport: { kind: 'stdio', command, args, env: {}, expandsArgs: true } }),
      McpServer.stdio('refused', process.execPath, [], { env: { API_TOKEN: `${slashes}\0${foreign}` } }),
    ];
    await Promise.all(servers.map((server) => this.#use(server)));
    await this.#use(leaky('leaky'));
    await this.#useOffers('leaky');
  }

  /** Remote servers that tell what they were sent, some at once and some when called, and one that is not there. */
  async useRemotes(): Promise<void> {
    const leaks = HTTP_LEAKS.flatMap((leak) => [[leak, 'connect'] as const, [leak, 'call'] as const]);
    const useLeak = async ([leak, on]: (typeof leaks)[number]): Promise<void> => {
      await using server = await startLeakyHttp(leak, on);
      await this.#use(this.#remote(`${leak}-on-${on}`, server.origin));
    };
    const headers = ['${LINES}', '${FOREIGN}'];
    await Promise.all([
      ...leaks.map(useLeak),
      this.#use(this.#remote('unreachable', 'http://127.0.0.1:1')),
      this.#use(this.#remote('misspelt', 'http://[::1')),
      ...headers.map((value, index) =>
        this.#use(McpServer.http(`header-${index}`, 'http://127.0.0.1:1/mcp', { headers: { 'X-Api-Key': value } })),
      ),
    ]);
  }

  /** Tools, policies and events of the application's own that know a secret. */
  async useOwnTools(): Promise<void> {
    for (const name of ['throws', 'fails', 'asked', 'forbidden', `unknown-${this.#secrets.slashes}`]) {
      this.#report(await this.#caller.call(name, { text: this.#secrets.lines }));
    }
    this.#eventLog?.write({ type: 'note', text: this.#secrets.symbols } as { type: string });
  }

  async end(): Promise<Sinks> {
    this.#sinks.statuses.push(this.#hub.status());
    this.#sinks.errors.push(await this.#hub.setServers([this.#remote('unreachable-again', 'http://127.0.0.1:1')]));
    this.#sinks.snapshot.push(this.#session.snapshot({ withLogs: true }));
    await this.#hub.close();
    await this.#eventLog?.close();
    this.#sinks.logs.push(...this.#logger.lines);
    this.#sinks.spans.push(...this.#tracer.spans);
    this.#sinks['event log'].push(readFileSync(this.#folder.file('events.jsonl'), 'utf8'));
    this.#sinks.eras.push(readFileSync(this.#folder.file('eras.json'), 'utf8'));
    const catalogs = this.#folder.file('catalogs');
    for (const file of readdirSync(catalogs))
      this.#sinks.catalogs.push(file, readFileSync(join(catalogs, file), 'utf8'));
    return this.#sinks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#eventLog?.close();
    await this.#hub.close();
  }

  /** Connects a server and calls its tools, with a secret among the arguments. */
  async #use(server: McpServer): Promise<void> {
    const { name } = server;
    await this.#attempt(this.#hub.connect(name, server));
    const tools = this.#hub.tools(name);
    this.#sinks.tools.push(tools, this.#hub.quarantinedTools(name));
    const args = { secret: this.#secrets.symbols, number: 1 };
    // What a server reports while it works is told to whoever called, like its answer.
    const options = { onProgress: () => undefined };
    this.#report(await this.#caller.call({ server: name, tool: 'none' }, args, options));
    for (const { tool } of tools) {
      this.#report(await this.#caller.call({ server: name, tool }, args, options));
      this.#report(await this.#caller.call({ server: name, tool }, { number: this.#secrets.quotes }));
      if (tool !== 'crash') await this.#attempt(this.#hub.callTool(name, tool, { arguments: args }));
    }
    this.#sinks.statuses.push(this.#hub.serverStatus(name));
  }

  async #useOffers(server: string): Promise<void> {
    await this.#attempt(this.#hub.connect(server));
    this.#sinks.tools.push(await this.#attempt(this.#hub.listResources(server)));
    this.#sinks.tools.push(await this.#attempt(this.#hub.listPrompts(server)));
    await this.#attempt(this.#hub.readResource(server, `leaky://${this.#secrets.spaces}`));
    await this.#attempt(this.#hub.getPrompt(server, this.#secrets.quotes));
    await this.#attempt(this.#hub.followResource(server, 'leaky://text'));
    await this.#attempt(this.#hub.callTool(server, 'chatter'));
  }

  #env(): Readonly<Record<string, string>> {
    const { quotes } = this.#secrets;
    const references = Object.keys(this.#secrets).map((name) => [`LEAK_${name}`, `\${${name.toUpperCase()}}`]);
    // As it stands, and known as a secret by the name of its variable.
    return { ...Object.fromEntries(references), LEAK_TOKEN: quotes };
  }

  #remote(name: string, origin: string): McpServer {
    const url = `${origin}/\${FOREIGN}/\${SLASHES}/mcp?key=\${SPACES}&q=\${QUOTES}`;
    const headers = { Authorization: `Bearer ${this.#secrets.symbols}`, 'X-Api-Key': '${SPACES}${QUOTES}${SLASHES}' };
    return McpServer.http(name, url, { headers });
  }

  #listen(): void {
    const record = (sink: unknown[], event: { readonly type: string }): void => {
      sink.push(event);
      this.#eventLog?.write(event);
    };
    for (const type of keysOf(HUB_EVENTS)) this.#hub.on(type, (event) => record(this.#sinks['hub events'], event));
    for (const type of keysOf(SESSION_EVENTS))
      this.#session.dispatcher.subscribe(type, (event) => record(this.#sinks['session events'], event));
  }

  /** The answer to a call that went well is for the agent, and no business of this test. */
  #report({ content, structuredContent, ...report }: CallReport): void {
    this.#sinks.reports.push(report.success ? report : { ...report, content, structuredContent });
  }

  async #attempt<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    try {
      return await promise;
    } catch (error) {
      this.#sinks.errors.push(error);
      return undefined;
    }
  }
}

function ownTools(secrets: PlantedSecrets): readonly ReturnType<typeof defineTool>[] {
  const params = { type: 'object' } as const;
  const description = 'One of ours.';
  return [
    defineTool({
      name: 'fails',
      description,
      params,
      handler: () => ({ content: [{ type: 'text', text: secrets.foreign }], isError: true }),
    }),
    defineTool({
      name: 'throws',
      description,
      params,
      handler: () => {
        throw new Error(`cannot use ${secrets.lines} ${secrets.spaces}`);
      },
    }),
    defineTool({ name: 'asked', description, params, handler: () => 'never' }),
    defineTool({ name: 'forbidden', description, params, handler: () => 'never' }),
  ];
}

function chattyPolicy({ quotes, foreign }: PlantedSecrets): ToolPolicy {
  return {
    name: 'chatty',
    check: ({ tool }) => {
      if (tool.name === 'asked') return ask(`May it use ${quotes}?`);
      return tool.name === 'forbidden' ? deny(`It must not use ${foreign}.`) : ALLOW;
    },
  };
}

function upperCased(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toUpperCase(), value]));
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(record) as Key[];
}
