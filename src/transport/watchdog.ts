import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Environment } from './child-environment.ts';
import { killTree } from './process-tree.ts';
import { settlesWithin } from './settles-within.ts';

export interface WatchdogOptions {
  /** Every process that carries this mark dies with us. */
  readonly mark: string;
  readonly env: Environment;
  readonly logger: Logger;
  /** The shell that waits; `/bin/sh`, where nothing is said. */
  readonly shell?: string;
}

const MAX_RESTARTS = 3;
const CLOSE_LIMIT_MS = 5000;

// A waiting shell needs a fortieth of the memory of a waiting Node; it uses nothing but what is built into every sh.
const WAIT_IN_SHELL = `
trap '' INT TERM HUP
leaders=
while read -r order pid; do
  case $order in
    add) leaders="$leaders $pid" ;;
    remove)
      kept=
      for leader in $leaders; do [ "$leader" = "$pid" ] || kept="$kept $leader"; done
      leaders=$kept ;;
    leave) exit ;;
  esac
done
for leader in $leaders; do kill -s KILL -- "-$leader" 2>/dev/null; done
exec "$0" "$@" $leaders
`;

/** A second process that outlives ours just long enough to kill the servers we leave behind. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #pids = new Set<number>();
  #child: ChildProcess;
  #restarts = 0;
  #isClosing = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#child = this.#start();
  }

  /** Its process, while there is one. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  add(pid: number): void {
    this.#pids.add(pid);
    this.#say(`add ${pid}`);
  }

  remove(pid: number): void {
    this.#pids.delete(pid);
    this.#say(`remove ${pid}`);
  }

  /** Kills what is left, if anything is, and lets it go; should we die meanwhile, it does the same. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const exited = new Promise((resolve) => {
      child.once('exit', resolve);
    });
    child.ref();
    await killTree({ leaders: [...this.#pids], mark: this.#options.mark }, systemClock);
    this.#say('leave');
    child.stdin?.end();
    if (!(await settlesWithin(exited, { clock: systemClock, ms: CLOSE_LIMIT_MS }))) child.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const { mark, shell = '/bin/sh' } = this.#options;
    const sweep = [process.execPath, scriptPath(), mark];
    let child = this.#spawn([shell, '-c', WAIT_IN_SHELL, ...sweep]);
    // Windows has no shell of that kind, nor have the smallest of containers.
    if (child.pid === undefined) child = this.#spawn(sweep);
    child.once('exit', () => this.#restart());
    child.unref();
    (child.stdin as Socket | null)?.unref();
    return child;
  }

  #spawn([file = '', ...args]: readonly string[]): ChildProcess {
    // It sees the end of its input when we die, in whatever way; its own session keeps Ctrl-C from it.
    const child = spawn(file, args, {
      cwd: '/',
      detached: true,
      env: this.#options.env,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
    });
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    return child;
  }

  #restart(): void {
    if (this.#isClosing) return;
    if (this.#restarts === MAX_RESTARTS) {
      this.#options.logger.log('error', 'the watchdog keeps dying; servers may outlive this process if it is killed');
      return;
    }
    this.#restarts += 1;
    this.#child = this.#start();
    for (const pid of this.#pids) this.#say(`add ${pid}`);
  }

  #say(order: string): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(`${order}\n`);
  }
}

function scriptPath(): string {
  // Run from its sources, Fairlead still needs the built script: Node cannot run TypeScript.
  const isSource = import.meta.url.endsWith('.ts');
  const script = isSource ? '../../dist/transport/watchdog-main.js' : './watchdog-main.js';
  const path = fileURLToPath(new URL(script, import.meta.url));
  if (existsSync(path)) return path;
  throw new Error(`the watchdog script ${path} is missing${isSource ? '; run npm run build' : '; reinstall fairlead'}`);
}
