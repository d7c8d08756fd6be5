import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { StdioTransport } from '../config/server-transport.ts';
import type { DeniedEgress } from '../isolation/confinement.ts';
import type { Dial } from '../isolation/dial.ts';
import type { IsolationConfig } from '../isolation/isolation-config.ts';
import { withoutLoaderVariables } from '../isolation/loader-variables.ts';
import { McpConnectionError, messageOf } from '../errors.ts';
import { silentLogger } from '../logger.ts';
import type { Logger } from '../logger.ts';
import { removeBoxFolders } from './box-folder.ts';
import { childEnvironment, minimalEnvironment } from './child-environment.ts';
import type { Environment } from './child-environment.ts';
import { resolveExecutable } from './executable.ts';
import { PidNamespace } from './pid-namespace.ts';
import type { NamespaceProbe } from './pid-namespace.ts';
import type { ServerChild } from './process-exit.ts';
import { SandboxProbe } from './sandbox-probe.ts';
import { ServerBox } from './server-box.ts';
import { ServerProcess } from './server-process.ts';
import type { Wrapper } from './server-process.ts';
import { Watchdog } from './watchdog.ts';

export interface ProcessHostOptions {
  /** Our own environment, of which servers see a minimum. */
  readonly parentEnv?: Readonly<Record<string, string | undefined>>;
  /** `off` starts servers without a pid namespace even where one could be had. */
  readonly pidNamespace?: 'auto' | 'off';
  /** How the targets that a network policy allows are reached; tests go elsewhere. */
  readonly dial?: Dial | undefined;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** What to start, and under which server's name. */
export interface Launch {
  readonly server: string;
  readonly transport: StdioTransport;
  readonly isolation?: IsolationConfig | undefined;
  readonly onDenied?: ((denied: DeniedEgress) => void) | undefined;
}

interface SpawnPlan {
  readonly mark: string;
  readonly env: Environment;
  readonly argv: readonly string[];
  readonly wrapper: Wrapper;
  readonly box: ServerBox | undefined;
}

/** Starts a hub's servers and answers for their end, even when the hub itself is killed. Starts nothing before it must. */
export class ProcessHost implements AsyncDisposable {
  readonly clock: Clock;
  readonly #hubId = randomUUID();
  readonly #parentEnv: Readonly<Record<string, string | undefined>>;
  readonly #namespace: PidNamespace | undefined;
  readonly #sandbox: SandboxProbe;
  readonly #dial: Dial | undefined;
  readonly #logger: Logger;
  readonly #running = new Set<ServerProcess>();
  readonly #boxesClosing = new Set<Promise<void>>();
  #watchdog: Watchdog | undefined;
  #spawns = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ProcessHostOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.#parentEnv = options.parentEnv ?? process.env;
    this.#logger = options.logger ?? silentLogger;
    this.#dial = options.dial;
    this.#sandbox = new SandboxProbe({ env: minimalEnvironment(this.#parentEnv), clock: systemClock });
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
    const box = await this.#openBox(launch);
    try {
      const env = childEnvironment({ parent: this.#parentEnv, box: box?.env, own, mark });
      const path = env['PATH'];
      const file = await resolveExecutable({ server: launch.server, command, cwd, path });
      const prefix = box?.isWrapped ? [] : await this.#prefix();
      const argv = box ? box.argvOf({ file, args, path }, env) : [file, ...args];
      const bare = prefix.length > 0 ? 'unshare' : 'none';
      const wrapper = box?.isWrapped ? 'bwrap' : bare;
      this.#requireOpen(launch);
      const outer = box?.isWrapped ? withoutLoaderVariables(env) : env;
      const server = await this.#start(launch, { mark, env: outer, argv: [...prefix, ...argv], wrapper, box });
      if (!this.#closing) return server;
      await server.kill();
      throw closedError(launch);
    } catch (error) {
      await box?.close();
      if (this.#closing) removeBoxFolders(this.#hubId);
      throw error;
    }
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
    await Promise.all(this.#boxesClosing);
    removeBoxFolders(this.#hubId);
    await this.#watchdog?.close();
  }

  /** What is put around a server under isolation; throws where it must not start without. */
  async #openBox(launch: Launch): Promise<ServerBox | undefined> {
    const { server, isolation, onDenied } = launch;
    if (!isolation) return undefined;
    const { command, cwd } = launch.transport;
    const request = { hubId: this.#hubId, server, command, cwd, isolation, onDenied, dial: this.#dial };
    return ServerBox.open(request, await this.#sandbox.verdict());
  }

  async #prefix(): Promise<readonly string[]> {
    const probe = await this.namespaceProbe();
    return probe.kind === 'available' ? probe.prefix : [];
  }

  async #start(launch: Launch, plan: SpawnPlan): Promise<ServerProcess> {
    const { mark, env, argv, wrapper, box } = plan;
    try {
      // First the watchdog: from its first moment a server must not be able to outlive us.
      this.#watchdog ??= new Watchdog({
        mark: this.#hubId,
        env: minimalEnvironment(this.#parentEnv),
        logger: this.#logger,
      });
      const child = await startChild(argv, { cwd: launch.transport.cwd, env });
      return this.#adopt(
        new ServerProcess({
          server: launch.server,
          child,
          mark,
          wrapper,
          confinement: box?.confinement,
          logger: this.#logger,
        }),
        { pid: child.pid, box },
      );
    } catch (error) {
      throw refusal(launch, `could not be started: ${reasonOf(error)}`);
    }
  }

  #adopt(
    server: ServerProcess,
    { pid, box }: { readonly pid: number; readonly box: ServerBox | undefined },
  ): ServerProcess {
    this.#watchdog?.add(pid);
    this.#running.add(server);
    const ended = server.gone.then(async () => {
      this.#running.delete(server);
      this.#watchdog?.remove(pid);
      await box?.close();
      this.#boxesClosing.delete(ended);
    });
    this.#boxesClosing.add(ended);
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
