import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { StdioTransport } from '../config/server-transport.ts';
import { McpConnectionError, messageOf } from '../errors.ts';
import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import { childEnvironment, minimalEnvironment } from './child-environment.ts';
import type { Environment } from './child-environment.ts';
import { resolveExecutable } from './executable.ts';
import { PidNamespace } from './pid-namespace.ts';
import type { NamespaceProbe } from './pid-namespace.ts';
import type { ServerChild } from './process-exit.ts';
import { ServerProcess } from './server-process.ts';
import { Watchdog } from './watchdog.ts';

export interface ProcessHostOptions {
  /** Our own environment, of which servers see a minimum. */
  readonly parentEnv?: Readonly<Record<string, string | undefined>>;
  /** `off` starts servers without a pid namespace even where one could be had. */
  readonly pidNamespace?: 'auto' | 'off';
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** What to start, and under which server's name. */
export interface Launch {
  readonly server: string;
  readonly transport: StdioTransport;
}

interface SpawnPlan {
  readonly mark: string;
  readonly env: Environment;
  readonly argv: readonly string[];
  readonly probe: NamespaceProbe;
}

/** Starts a hub's servers and answers for their end, even when the hub itself is killed. Starts nothing before it must. */
export class ProcessHost implements AsyncDisposable {
  readonly clock: Clock;
  readonly #hubId = randomUUID();
  readonly #parentEnv: Readonly<Record<string, string | undefined>>;
  readonly #namespace: PidNamespace | undefined;
  readonly #logger: Logger;
  readonly #running = new Set<ServerProcess>();
  #watchdog: Watchdog | undefined;
  #spawns = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ProcessHostOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.#parentEnv = options.parentEnv ?? process.env;
    this.#logger = options.logger ?? silentLogger;
    if (options.pidNamespace !== 'off') {
      this.#namespace = new PidNamespace({ env: minimalEnvironment(this.#parentEnv), clock: systemClock });
    }
  }

  /** Whether servers get a pid namespace of their own here, and why not. */
  async namespaceProbe(): Promise<NamespaceProbe> {
    return this.#namespace?.probe() ?? { kind: 'unavailable', reason: 'switched off' };
  }

  /** Starts a server; resolves as soon as its process runs. */
  async spawn(launch: Launch): Promise<ServerProcess> {
    const { command, args, cwd, env: own } = launch.transport;
    this.#requireOpen(launch);
    this.#spawns += 1;
    const mark = `${this.#hubId}/${this.#spawns}`;
    const env = childEnvironment({ parent: this.#parentEnv, own, mark });
    const file = await resolveExecutable({ server: launch.server, command, cwd, path: env['PATH'] });
    const probe = await this.namespaceProbe();
    this.#requireOpen(launch);
    const server = await this.#start(launch, { mark, env, argv: [file, ...args], probe });
    if (!this.#closing) return server;
    await server.kill();
    throw closedError(launch);
  }

  /** Kills what still runs and lets the watchdog go. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    await Promise.all([...this.#running].map((server) => server.kill()));
    await this.#watchdog?.close();
  }

  async #start(launch: Launch, plan: SpawnPlan): Promise<ServerProcess> {
    const { mark, env, argv, probe } = plan;
    const prefix = probe.kind === 'available' ? probe.prefix : [];
    try {
      // First the watchdog: from its first moment a server must not be able to outlive us.
      this.#watchdog ??= new Watchdog({
        mark: this.#hubId,
        env: minimalEnvironment(this.#parentEnv),
        logger: this.#logger,
      });
      const child = await startChild([...prefix, ...argv], { cwd: launch.transport.cwd, env });
      return this.#adopt(
        new ServerProcess({
          server: launch.server,
          child,
          mark,
          isNamespaced: prefix.length > 0,
          logger: this.#logger,
        }),
        child.pid,
      );
    } catch (error) {
      throw refusal(launch, `could not be started: ${reasonOf(error)}`);
    }
  }

  #adopt(server: ServerProcess, pid: number): ServerProcess {
    this.#watchdog?.add(pid);
    this.#running.add(server);
    void server.gone.then(() => {
      this.#running.delete(server);
      this.#watchdog?.remove(pid);
    });
    return server;
  }

  #requireOpen(launch: Launch): void {
    if (this.#closing) throw closedError(launch);
  }
}

async function startChild(
  [file = '', ...args]: readonly string[],
  options: { readonly cwd: string | undefined; readonly env: Environment },
): Promise<ServerChild> {
  const child = spawn(file, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: options.env,
    // Its own session: Ctrl-C in our terminal is ours, and the tree is known by its leader.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  if (!isStarted(child)) {
    const [error] = (await once(child, 'error')) as [Error];
    throw error;
  }
  child.on('error', () => undefined);
  return child;
}

function isStarted(child: { readonly pid?: number | undefined }): child is ServerChild {
  return child.pid !== undefined;
}

function closedError(launch: Launch): McpConnectionError {
  return refusal(launch, 'could not be started: the hub is closed');
}

/** Node's own message may quote an argument or a variable, and with it a secret: its code says enough. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : messageOf(error);
}

function refusal({ server, transport }: Launch, what: string): McpConnectionError {
  const message = `${server}: '${transport.command}' ${what}`;
  return new McpConnectionError({ code: 'SPAWN_FAILED', server, transport: `stdio: ${transport.command}`, message });
}
