import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Caller, EventLog, Hub, McpError, McpServer } from '../../src/index.ts';
import type {
  CallReport,
  HubEvents,
  HubInterface,
  ServerStatus,
  SessionEvents,
  StdioOptions,
} from '../../src/index.ts';
import { DEFAULT_TRANSPORT_LIMITS } from '../../src/transport/live-transport.ts';
import type { TransportLimits } from '../../src/transport/live-transport.ts';
import { OWNER_VARIABLE } from '../../src/transport/child-environment.ts';
import { faulty } from '../fixtures/fixture-commands.ts';
import type { FaultyMode } from '../fixtures/fixture-commands.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { RecordingLogger } from '../fixtures/recording-logger.ts';
import { RecordingTracer } from '../fixtures/recording-tracer.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';
import { createCanaries } from './canaries.ts';
import type { Canaries } from './canaries.ts';
import { watched } from './watched.ts';

export interface BenchSettings {
  /** By default time stands still unless the row moves it, so that whatever waits is seen to wait. */
  readonly time?: 'manual' | 'real';
  readonly pidNamespace?: 'auto' | 'off';
  readonly transport?: Partial<TransportLimits>;
  /** Without bubblewrap on its PATH a hub has no sandbox. */
  readonly sandbox?: 'off';
  /** What stands for chance in backoff, one after the other and again; 0 retries without delay. */
  readonly random?: number | readonly number[];
}

export const BYSTANDER = 'bystander';

const EVENT_TYPES: Readonly<Record<keyof HubEvents, true>> = {
  'server-connected': true,
  'server-disconnected': true,
  'server-failed': true,
  'server-changed': true,
  'tools-changed': true,
  'resource-changed': true,
  'tool-quarantined': true,
  'sandbox-denied': true,
};
const SESSION_EVENT_TYPES: Readonly<Record<keyof SessionEvents, true>> = {
  'tool-started': true,
  'tool-invoked': true,
  'approval-asked': true,
  'approval-decided': true,
  'prompt-rendered': true,
  'prompt-executed': true,
  'sections-opened': true,
};
const EVENT_LOG = 'events.jsonl';
const TELL_SECRETS = fileURLToPath(new URL('../fixtures/processes/tell-secrets.mjs', import.meta.url));
const CLOSING_STEP_MS = 500;

/** A hub with a healthy server in it, and a record of everything that comes out of it. */
export class FaultBench {
  readonly clock: ManualClock = new ManualClock();
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly canaries: Canaries = createCanaries();
  /** Stands in the environment of every process that this row starts. */
  readonly mark: string = `fault-row-${randomUUID()}`;
  readonly errors: unknown[] = [];
  readonly events: HubEvents[keyof HubEvents][] = [];
  readonly statuses: ServerStatus[] = [];
  readonly reports: unknown[] = [];
  /** The lines of the event log, once the bench is closed. */
  readonly eventLines: string[] = [];
  readonly tracer: RecordingTracer = new RecordingTracer();
  readonly hub: HubInterface;
  readonly caller: Caller;
  readonly folder: TemporaryFolder;
  readonly #settings: BenchSettings;
  readonly #outerMark: string | undefined = process.env[OWNER_VARIABLE];
  readonly #outerPath: string | undefined = process.env['PATH'];
  #bystanderAnswers = 0;
  #eventLog: EventLog | undefined;

  private constructor(settings: BenchSettings, folder: TemporaryFolder) {
    this.#settings = settings;
    this.folder = folder;
    process.env[OWNER_VARIABLE] = this.mark;
    if (settings.sandbox === 'off') process.env['PATH'] = folder.path;
    const isManual = settings.time !== 'real';
    const hub = new Hub({
      servers: [this.faulty(BYSTANDER, 'healthy')],
      secrets: [this.canaries.source],
      logger: this.logger,
      random: chanceOf(settings.random ?? 0),
      limits: { transport: { ...DEFAULT_TRANSPORT_LIMITS, ...settings.transport } },
      ...(isManual && { clock: this.clock }),
      ...(settings.pidNamespace && { pidNamespace: settings.pidNamespace }),
    });
    this.hub = watched<HubInterface>(hub, (error) => this.errors.push(error));
    this.caller = new Caller({ hub: this.hub, tracer: this.tracer, ...(isManual && { clock: this.clock }) });
    for (const type of Object.keys(SESSION_EVENT_TYPES) as (keyof SessionEvents)[]) {
      this.caller.session.dispatcher.subscribe(type, (event) => {
        this.reports.push(event);
        this.#eventLog?.write(event);
      });
    }
    for (const type of Object.keys(EVENT_TYPES) as (keyof HubEvents)[]) hub.on(type, (event) => this.#record(event));
  }

  static async open(settings: BenchSettings = {}): Promise<FaultBench> {
    const bench = new FaultBench(settings, await openTemporaryFolder());
    bench.#eventLog = await EventLog.open({
      file: bench.folder.file(EVENT_LOG),
      // Of its own, so that what the hub waits for can be counted; everything is written when the log is closed.
      clock: new ManualClock(),
      scrubber: bench.hub.scrubber,
    });
    return bench;
  }

  /** A server with one fault, which holds the canaries and tells them on stderr. */
  faulty(name: string, mode: FaultyMode, options: Readonly<Record<string, unknown>> = {}): McpServer {
    const { command, args } = faulty(mode, options);
    return this.stdio(name, [command, '--import', TELL_SECRETS, ...args]);
  }

  /** Any server over stdio, with the canaries in its environment. */
  stdio(name: string, [command = '', ...args]: readonly string[], options: StdioOptions = {}): McpServer {
    const env = { ...this.canaries.env, ...options.env, FAULT_SERVER: this.#markOf(name) };
    return McpServer.stdio(name, command, args, { ...options, env });
  }

  /** A remote server, which is sent the canaries. */
  http(name: string, url: string): McpServer {
    return McpServer.http(name, url, { headers: this.canaries.headers });
  }

  /** Calls a tool as an agent does. */
  async call(server: string, tool: string, message = `for ${server}`): Promise<CallReport> {
    const report = await this.caller.call({ server, tool }, { message });
    this.reports.push(report);
    return report;
  }

  /** The error that something ends in; everything else is a failure of the row. */
  async failure(promise: Promise<unknown>): Promise<McpError> {
    const error = await promise.then(
      () => new Error('it was expected to fail, and did not'),
      (thrown: unknown) => thrown,
    );
    if (error instanceof McpError) return error;
    throw error;
  }

  /** The healthy server answers, and answers right. */
  async bystanderAnswers(): Promise<void> {
    this.#bystanderAnswers += 1;
    const message = `answer ${this.#bystanderAnswers}`;
    const report = await this.call(BYSTANDER, 'echo', message);
    const [piece] = report.content;
    if (report.outcome === 'ok' && piece?.['text'] === message) return;
    throw new Error(`the bystander gave ${report.outcome}: ${report.message}`);
  }

  get timesBystanderAnswered(): number {
    return this.#bystanderAnswers;
  }

  /** The living processes of one server, our wrapper around it included. */
  processesOf(name: string): readonly number[] {
    return processesMarked(`FAULT_SERVER=${this.#markOf(name)}\0`);
  }

  /** Lets the hub's time pass until a server is closed; whatever else waits at that moment may time out. */
  async untilClosed(promise: Promise<unknown>): Promise<void> {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    promise.then(settle, settle);
    while (!isSettled) {
      await this.clock.advance(CLOSING_STEP_MS);
      await sleep(1);
    }
    await promise;
  }

  /** Ends the hub, and with it everything the row started. */
  async close(): Promise<void> {
    this.statuses.push(...this.hub.status());
    const closing = this.hub.close();
    await (this.#settings.time === 'real' ? closing : this.untilClosed(closing));
    await this.#eventLog?.close();
    this.eventLines.push(...this.folder.lines(EVENT_LOG));
    if (this.#outerMark === undefined) delete process.env[OWNER_VARIABLE];
    else process.env[OWNER_VARIABLE] = this.#outerMark;
    if (this.#settings.sandbox === 'off') process.env['PATH'] = this.#outerPath;
    await this.folder[Symbol.asyncDispose]();
  }

  #record(event: HubEvents[keyof HubEvents]): void {
    this.events.push(event);
    this.#eventLog?.write(event);
    this.statuses.push(...this.hub.status());
  }

  #markOf(name: string): string {
    return `${this.mark}/${name}`;
  }
}

function chanceOf(random: number | readonly number[]): () => number {
  const values = [random].flat();
  let taken = 0;
  return () => values[taken++ % values.length] ?? 0;
}
