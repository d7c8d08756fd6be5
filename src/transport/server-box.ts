import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bubblewrapArgv } from '../isolation/bubblewrap.ts';
import type { Forwarding } from '../isolation/bubblewrap.ts';
import type { Confinement, DeniedEgress } from '../isolation/confinement.ts';
import type { Dial } from '../isolation/dial.ts';
import { hostDisk } from '../isolation/disk.ts';
import { EgressProxy } from '../isolation/egress-proxy.ts';
import type { IsolationConfig } from '../isolation/isolation-config.ts';
import { loaderVariables } from '../isolation/loader-variables.ts';
import { NODE_PRELOAD } from '../isolation/node-preload.ts';
import { sandboxEnvironment } from '../isolation/sandbox-environment.ts';
import {
  EGRESS_FOLDER,
  missingPaths,
  SANDBOX_HOME,
  sandboxMounts,
  strayingPaths,
} from '../isolation/sandbox-mounts.ts';
import type { MountRequest } from '../isolation/sandbox-mounts.ts';
import { McpConnectionError, messageOf } from '../errors.ts';
import { makeBoxFolder } from './box-folder.ts';
import type { Environment } from './child-environment.ts';
import type { SandboxVerdict } from './sandbox-probe.ts';

export interface BoxRequest {
  readonly hubId: string;
  /** The server's name, for messages. */
  readonly server: string;
  readonly command: string;
  readonly cwd: string | undefined;
  readonly isolation: IsolationConfig;
  readonly onDenied?: ((denied: DeniedEgress) => void) | undefined;
  readonly dial?: Dial | undefined;
}

/** A program as it was found, before anything is put around it. */
export interface FoundProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly path: string | undefined;
}

const SOCKET_NAME = 'proxy.sock';
const PRELOAD_NAME = 'preload.cjs';

/** What is put around one start of a server under isolation, and what belongs to it as long as it runs. */
export class ServerBox {
  readonly confinement: Confinement;
  readonly #request: BoxRequest;
  readonly #verdict: SandboxVerdict;
  readonly #folder: string;
  #proxy: EgressProxy | undefined;

  private constructor(request: BoxRequest, verdict: SandboxVerdict, folder: string) {
    this.#request = request;
    this.#verdict = verdict;
    this.#folder = folder;
    this.confinement = confinementOf(request.isolation, verdict);
  }

  /** Throws an McpConnectionError if the server must not start without what cannot be had. */
  static async open(request: BoxRequest, verdict: SandboxVerdict): Promise<ServerBox> {
    const { isolation } = request;
    if (isolation.mode === 'required' && verdict.kind === 'unavailable') {
      const how = 'or set isolation: off to run it without a sandbox, if you trust it';
      const message = `isolation is required, but ${verdict.cause}; ${verdict.fix}, ${how}`;
      throw refusal(request, 'ISOLATION_UNAVAILABLE', message);
    }
    const box = new ServerBox(request, verdict, await makeBoxFolder(request.hubId));
    try {
      await box.#prepare();
      return box;
    } catch (error) {
      await box.close();
      if (error instanceof McpConnectionError) throw error;
      throw refusal(request, 'SPAWN_FAILED', `its sandbox could not be made: ${messageOf(error)}`);
    }
  }

  /** Whether the server runs behind bubblewrap. */
  get isWrapped(): boolean {
    return this.#verdict.kind === 'available' && this.#request.isolation.mode !== 'off';
  }

  /** What the server's environment has beside what every server's has. */
  get env(): Environment {
    const { networkPolicy } = this.#request.isolation;
    return sandboxEnvironment({
      home: this.#isConfined ? SANDBOX_HOME : this.#hostHome,
      hasOwnTmp: this.#isConfined,
      egress: this.#proxy &&
        networkPolicy && { policy: networkPolicy, preloadPath: join(this.#egressFolder, PRELOAD_NAME) },
    });
  }

  /** The command line that starts the server in its environment. */
  argvOf(program: FoundProgram, env: Environment): readonly string[] {
    const command = [program.file, ...program.args];
    if (this.#verdict.kind === 'unavailable' || !this.isWrapped) return command;
    const { bwrap } = this.#verdict;
    const cwd = this.#cwd;
    const network = this.#network();
    const request = this.#mountRequest(program, typeof network === 'object' ? [network.program.file] : []);
    const mounts = this.#isConfined ? sandboxMounts(request, hostDisk) : undefined;
    const isRoot = process.getuid?.() === 0;
    const innerEnv = loaderVariables(env);
    return bubblewrapArgv({ bwrap, command, cwd, innerEnv, mounts, ownFolder: this.#folder, isRoot, network });
  }

  /** Cuts the way out and removes what was put aside. */
  async close(): Promise<void> {
    await this.#proxy?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #isConfined(): boolean {
    return this.isWrapped && this.#request.isolation.sandbox.enabled;
  }

  get #cwd(): string {
    return resolve(this.#request.cwd ?? '.');
  }

  get #hostHome(): string {
    return resolve(this.#cwd, this.#request.isolation.home ?? join(this.#folder, 'home'));
  }

  async #prepare(): Promise<void> {
    const { isolation, onDenied, dial } = this.#request;
    await mkdir(join(this.#folder, 'home'));
    await mkdir(join(this.#folder, 'egress'));
    this.#requirePaths(this.#mountRequest({ file: '', args: [], path: undefined }));
    const { networkPolicy: policy } = isolation;
    if (!this.isWrapped || !policy || policy.domains.length === 0) return;
    const folder = join(this.#folder, 'egress');
    await writeFile(join(folder, PRELOAD_NAME), NODE_PRELOAD);
    const socketPath = join(folder, SOCKET_NAME);
    this.#proxy = await EgressProxy.open({ policy, socketPath, onDenied: onDenied ?? ignore, dial });
  }

  #requirePaths(request: MountRequest): void {
    const missing = missingPaths(request, hostDisk);
    const what = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} to be readable or writable, but not there`;
    if (missing.length > 0) throw refusal(this.#request, 'SPAWN_FAILED', `${what}; create it, or change the sandbox`);
    const [straying] = strayingPaths(request, hostDisk);
    if (straying === undefined) return;
    const why = 'leads out of a folder that the server may write, by a link that it may have made itself';
    throw refusal(this.#request, 'SPAWN_FAILED', `${straying} ${why}; remove the link, or name where it leads`);
  }

  /** Where the server finds its way out. */
  get #egressFolder(): string {
    return this.#isConfined ? EGRESS_FOLDER : join(this.#folder, 'egress');
  }

  #network(): 'open' | Forwarding | undefined {
    if (!this.#request.isolation.networkPolicy) return 'open';
    if (!this.#proxy || this.#verdict.kind === 'unavailable') return undefined;
    const { socat } = this.#verdict;
    const socketPath = join(this.#egressFolder, SOCKET_NAME);
    const program =
      socat === undefined
        ? ({ kind: 'node', file: process.execPath } as const)
        : { kind: 'socat' as const, file: socat };
    return { socketPath, program };
  }

  #mountRequest(program: FoundProgram, companions: readonly string[] = []): MountRequest {
    const { isolation, cwd } = this.#request;
    return {
      sandbox: isolation.sandbox,
      program: { ...program, cwd: this.#cwd, home: homedir(), companions },
      isCwdDeclared: cwd !== undefined,
      isNetworkOpen: isolation.networkPolicy === undefined,
      home: isolation.home,
      egressFolder: this.#proxy && join(this.#folder, 'egress'),
      boxesFolder: dirname(this.#folder),
    };
  }
}

function ignore(): void {
  // Nobody wants to know.
}

function confinementOf(isolation: IsolationConfig, verdict: SandboxVerdict): Confinement {
  const { sandbox, networkPolicy, mode } = isolation;
  if (mode !== 'off' && verdict.kind === 'unavailable')
    return { files: 'open', network: 'open', missing: `${verdict.cause}; ${verdict.fix}` };
  return { files: sandbox.enabled ? 'confined' : 'open', network: networkPolicy?.domains ?? 'open' };
}

function refusal(
  { server, command }: BoxRequest,
  code: 'ISOLATION_UNAVAILABLE' | 'SPAWN_FAILED',
  message: string,
): McpConnectionError {
  return new McpConnectionError({ code, server, transport: `stdio: ${command}`, message: `${server}: ${message}` });
}
