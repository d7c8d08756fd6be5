import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { systemClock } from '../clock.ts';
import { McpConnectionError } from '../errors.ts';
import type { Confinement } from '../isolation/confinement.ts';
import { DirectCalls } from './direct-calls.ts';
import { Inbox } from './inbox.ts';
import { InputWriter } from './input-writer.ts';
import { NotWrittenError } from './live-transport.ts';
import type { LiveTransport, TransportContext, TransportEnding } from './live-transport.ts';
import { MessageReader } from './message-reader.ts';
import type { ProcessHost } from './process-host.ts';
import type { ServerProcess } from './server-process.ts';
import { settlesWithin } from './settles-within.ts';
import { StderrRing } from './stderr-ring.ts';

// A process that ends closes its pipes a moment before its exit is known.
const EXIT_NOTICE_MS = 100;
// Something that escaped may hold the output open after everything else is dead.
const DRAIN_LIMIT_MS = 1000;

/** A channel to a server in a child process, over its stdin and stdout. */
export class StdioTransport implements LiveTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly direct: DirectCalls | undefined;
  readonly #context: TransportContext;
  readonly #host: ProcessHost;
  readonly #inbox: Inbox = new Inbox((message) => this.#receive(message));
  readonly #output: MessageReader;
  readonly #stderr: StderrRing;
  #server: ServerProcess | undefined;
  #input: InputWriter | undefined;
  #starting: Promise<void> | undefined;
  #ending: TransportEnding | undefined;
  #ended: Promise<void> | undefined;

  constructor(context: TransportContext, host: ProcessHost) {
    const { limits, logger } = context;
    this.#context = context;
    this.#host = host;
    if (context.hasDirectCalls !== false) this.direct = new DirectCalls((lines) => this.#write(lines));
    this.#stderr = new StderrRing(limits.stderrBytes);
    this.#output = new MessageReader({
      limits,
      logger,
      onMessage: (message) => this.#inbox.deliver(message),
      onFlood: () => {
        this.#server?.stdout.destroy();
        this.#abandon({ kind: 'flooded', limitBytes: limits.floodBytes });
      },
    });
  }

  get pid(): number | undefined {
    return this.#server?.pid;
  }

  get confinement(): Confinement | undefined {
    return this.#server?.confinement;
  }

  get stderr(): string {
    return this.#stderr.text;
  }

  get droppedMessages(): number {
    return this.#output.droppedMessages;
  }

  get ending(): TransportEnding | undefined {
    return this.#ending;
  }

  /** Resolves when the process runs, not when it says something. */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(`${JSON.stringify(message)}\n`);
  }

  /** Ends the server; when it returns, no process of its tree is left. */
  async close(): Promise<void> {
    this.#ending ??= { kind: 'closed' };
    await this.#starting?.catch(() => undefined);
    const { clock, limits } = this.#context;
    await this.#server?.terminate({ clock, graceMs: limits.closeGraceMs });
    this.#ended ??= this.#tellEnd();
    await this.#ended;
  }

  #receive(message: JSONRPCMessage): 'done' | 'passed-on' {
    if (this.direct?.take(message)) return 'done';
    this.#guard(() => this.onmessage?.(message));
    return 'passed-on';
  }

  #write(lines: string): Promise<void> {
    if (this.#input && !this.#ending) return this.#input.write(lines);
    return Promise.reject(new NotWrittenError('closed', `${this.#context.server} is not running`));
  }

  async #start(): Promise<void> {
    const { server, transport, isolation, onDenied } = this.#context;
    if (transport.kind !== 'stdio') throw new TypeError(`${server} is reached by ${transport.kind}, not by stdio`);
    const started = await this.#host.spawn({ server, transport, isolation, onDenied });
    if (this.#ending) {
      await started.kill();
      throw this.#closedWhileStarting(transport.command);
    }
    this.#server = started;
    this.#attach(started);
  }

  #attach(server: ServerProcess): void {
    const { clock, limits } = this.#context;
    const { unsentBytes, writeStallMs } = limits;
    this.#input = new InputWriter({
      stream: server.stdin,
      clock,
      unsentBytes,
      writeStallMs,
      onStalled: () => this.#abandon({ kind: 'stalled', afterMs: writeStallMs }),
      onBroken: () => void this.#abandonUnlessExiting({ kind: 'stalled', afterMs: EXIT_NOTICE_MS }),
    });
    server.stderr.on('data', (chunk: Buffer) => this.#stderr.append(chunk));
    server.stdout.on('data', (chunk: Buffer) => this.#output.push(chunk));
    server.stdout.once('end', () => {
      this.#output.end();
      void this.#abandonUnlessExiting({ kind: 'stdout-closed' });
    });
    const drained = new Promise<void>((resolve) => {
      server.stdout.once('close', resolve);
    });
    const stopWatching = server.watchOutput(this.#host.clock, () => this.#abandon({ kind: 'stdout-closed' }));
    void server.exited.then((exit) => {
      stopWatching();
      this.#ending ??= { kind: 'exited', ...exit };
    });
    this.#ended = server.gone.then(() => this.#finish(server, drained));
  }

  async #finish(server: ServerProcess, drained: Promise<void>): Promise<void> {
    await settlesWithin(drained, { clock: systemClock, ms: DRAIN_LIMIT_MS });
    this.#input?.stop();
    for (const stream of [server.stdin, server.stdout, server.stderr]) stream.destroy();
    await this.#tellEnd();
  }

  /** Tells the end once, after everything the server still said. */
  async #tellEnd(): Promise<void> {
    this.#inbox.flush();
    this.#guard(() => this.onclose?.());
    this.direct?.end(new Error('Connection closed'), new NotWrittenError('closed', 'Connection closed'));
  }

  #abandon(ending: TransportEnding): void {
    this.#ending ??= ending;
    void this.#server?.kill();
  }

  async #abandonUnlessExiting(ending: TransportEnding): Promise<void> {
    const server = this.#server;
    if (!server || (await settlesWithin(server.exited, { clock: systemClock, ms: EXIT_NOTICE_MS }))) return;
    // One that is being closed may take its time.
    if (!this.#ending) this.#abandon(ending);
  }

  #guard(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #closedWhileStarting(command: string): McpConnectionError {
    const { server } = this.#context;
    const message = `${server}: closed while it was starting`;
    return new McpConnectionError({ code: 'NOT_CONNECTED', server, transport: `stdio: ${command}`, message });
  }
}
