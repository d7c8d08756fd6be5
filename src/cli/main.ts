#!/usr/bin/env node
import { systemClock } from '../clock.ts';
import { McpError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { parseArguments } from './arguments.ts';
import type { Request } from './arguments.ts';
import { renderHelp } from './help.ts';
import { Interruption } from './interruption.ts';
import { Output } from './output.ts';
import { reportFailure } from './report-failure.ts';

const { stdout, stderr, env, argv } = process;

process.exit(await main(argv.slice(2)));

/** Carries out one command line, and gives the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const output = new Output({ stdout, stderr, env, noColor: args.includes('--no-color') });
  const interruption = new Interruption({ clock: systemClock, force: (status) => process.exit(status) });
  listen(interruption, output);
  try {
    const status = await run(parseArguments(args), output, interruption);
    await flushed(stdout);
    return interruption.reason === 'output-failed' ? 1 : status;
  } catch (error) {
    return interruption.status ?? reportFailure(error, output);
  }
}

async function run(request: Request, output: Output, interruption: Interruption): Promise<number> {
  if (request.kind === 'version') {
    output.line(VERSION);
    return 0;
  }
  if (request.kind === 'help') {
    output.line(renderHelp(request.verb));
    return 0;
  }
  const { verb, positionals, flags } = request;
  if (flags.trustProject) {
    output.note('--trust-project changes nothing yet: the config files of a project are used without asking.');
  }
  const runVerb = await verb.load();
  const status = await runVerb({
    verb: verb.name,
    positionals,
    flags,
    output,
    interruption,
    clock: systemClock,
    env,
    cwd: currentFolder(),
    script: argv[1] ?? '',
  });
  // Some work has no other end than being stopped.
  return verb.name === 'up' || flags.follow ? status : (interruption.status ?? status);
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    const message = 'the folder in which this was started is gone; change to one that exists';
    throw new McpError('CONFIG_INVALID', message, { cause: error });
  }
}

function listen(interruption: Interruption, output: Output): void {
  process.on('exit', () => output.restore());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.request(signal));
  stderr.on('error', () => interruption.request('output-closed'));
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read our output has gone: that ends the work, and is no error.
    const isGone = error.code === 'EPIPE' || error.code === 'EIO';
    if (!isGone) output.note(`fairlead: cannot write to stdout: ${error.message}`);
    interruption.request(isGone ? 'output-closed' : 'output-failed');
  });
}

/** Waits until what was written has left the process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
