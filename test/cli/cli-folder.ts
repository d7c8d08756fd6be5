import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { FixtureCommand } from '../fixtures/fixture-commands.ts';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import type { TemporaryFolder } from '../fixtures/temporary-folder.ts';

/** The command line as it is built. */
export const MAIN: string = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How a command ended, and what it wrote. */
export interface CliEnding {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A command that is still running. */
export class RunningCli implements AsyncDisposable {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<CliEnding>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }) {
    this.child = spawn(process.execPath, [MAIN, ...args], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdin.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(([status, signal]) => ({
      status,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

/** A folder that is home, config and working directory of the commands run in it. */
export class CliFolder implements AsyncDisposable {
  /** Stands in the environment of every process that a command starts here, if its config passes it on. */
  readonly mark: string = crypto.randomUUID();
  readonly #folder: TemporaryFolder;

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder;
  }

  static async open(servers?: Readonly<Record<string, object>>): Promise<CliFolder> {
    const cli = new CliFolder(await openTemporaryFolder());
    if (servers) cli.declare(servers);
    return cli;
  }

  /** Writes a config with these servers and whatever else; the environment of their processes carries the mark. */
  declare(servers: Readonly<Record<string, object>>, more: object = {}): void {
    const marked = Object.entries(servers).map(([name, server]) => {
      const env =
        'command' in server ? { env: { ...('env' in server ? (server.env as object) : {}), MARK: this.mark } } : {};
      return [name, { ...server, ...env }] as const;
    });
    // JSON is YAML.
    const config = { version: 1, servers: Object.fromEntries(marked), ...more };
    this.write('fairlead.yaml', JSON.stringify(config, undefined, 2));
  }

  get path(): string {
    return this.#folder.path;
  }

  file(name: string): string {
    return this.#folder.file(name);
  }

  /** The lines of a file; none if it does not exist. */
  lines(name: string): readonly string[] {
    return this.#folder.lines(name);
  }

  write(name: string, text: string): void {
    writeFileSync(this.file(name), text);
  }

  start(args: readonly string[], { env = {} }: RunOptions = {}): RunningCli {
    const { path } = this;
    const own = { HOME: path, XDG_CONFIG_HOME: `${path}/config`, XDG_STATE_HOME: `${path}/state`, TMPDIR: path };
    return new RunningCli(args, { cwd: path, env: { PATH: process.env['PATH'], ...own, ...env } });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<CliEnding> {
    const cli = this.start(args, options);
    cli.child.stdin.end(options.stdin ?? '');
    return cli.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** A fixture as a config declares it. */
export function declared(command: FixtureCommand, more: object = {}): object {
  return { ...command, ...more };
}
