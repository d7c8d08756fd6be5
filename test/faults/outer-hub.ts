import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '../../src/index.ts';
import { OWNER_VARIABLE } from '../../src/transport/child-environment.ts';
import { processesMarked } from '../fixtures/processes.ts';
import { until } from '../fixtures/until.ts';
import type { FaultBench } from './fault-bench.ts';
import { descendantsOf } from './descendants.ts';

export interface OuterHubOptions {
  readonly servers: readonly McpServer[];
  /** `fairlead` is the built command line; `busy-hub` a program of its own that closes its hub on SIGTERM. */
  readonly program: 'fairlead' | 'busy-hub';
  readonly args: readonly string[];
  /** Without the tool that makes namespaces on its PATH a hub goes without. */
  readonly pidNamespace?: 'auto' | 'off';
}

const PROGRAMS = {
  fairlead: fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)),
  'busy-hub': fileURLToPath(new URL('../fixtures/processes/busy-hub.mjs', import.meta.url)),
};

/** A hub in a process of its own, which can be ended as a whole. */
export class OuterHub {
  readonly #child: ChildProcess;
  readonly #mark: string;
  readonly #ended: Promise<unknown>;
  #output = '';

  private constructor(child: ChildProcess, mark: string) {
    this.#child = child;
    this.#mark = mark;
    this.#ended = once(child, 'close');
    child.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  static async start(bench: FaultBench, options: OuterHubOptions): Promise<OuterHub> {
    const config = bench.folder.file('fairlead.yaml');
    await writeFile(config, JSON.stringify({ version: 1, servers: Object.fromEntries(options.servers.map(toEntry)) }));
    const mark = `${bench.mark}-outer`;
    const secret = await bench.canaries.source.get('FAULT_CANARY');
    const env = {
      HOME: bench.folder.path,
      PATH: options.pidNamespace === 'off' ? bench.folder.path : process.env['PATH'],
      FAULT_CANARY: secret,
      [OWNER_VARIABLE]: mark,
    };
    const args = [PROGRAMS[options.program], ...options.args, '--config', config, '--log-level', 'trace'];
    const child = spawn(process.execPath, args, { cwd: bench.folder.path, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new OuterHub(child, mark);
  }

  /** What it has written so far, logs included. */
  get output(): string {
    return this.#output;
  }

  /** Itself, its servers, and whatever helps it. */
  processes(): readonly number[] {
    const { pid = 0 } = this.#child;
    return [...new Set([...processesMarked(this.#mark), ...descendantsOf(pid)])];
  }

  async said(text: string): Promise<void> {
    await until(() => this.#output.includes(text), { describe: `it says '${text}'; it said: ${this.#output}` });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits for its end; gives its exit status, or the signal that ended it. */
  async ended(): Promise<number | string | null> {
    await this.#ended;
    return this.#child.exitCode ?? this.#child.signalCode;
  }
}

function toEntry({ name, transport }: McpServer): readonly [string, object] {
  if (transport.kind !== 'stdio') throw new TypeError(`${name} is no stdio server`);
  const { command, args, env } = transport;
  return [name, { command, args, env }];
}
