import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check } from './check.mjs';
import { Interrupted, runTool } from './child.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureFolderInstalled } from './install-folder.mjs';
import { root, SetUpError } from './project.mjs';

// `enter` runs a file of the project in this very process, so that signals, exit status and stdio are its own
// and no child can be left behind. `tool` runs the command of an installed package; `run` is a function of ours.
const COMMANDS = {
  start: { about: 'build if needed, then run the fairlead command line', build: true, enter: 'dist/cli/main.js' },
  test: { about: 'run the tests', build: true, tool: { package: 'vitest', args: ['run'] } },
  check: { about: 'everything static; name checks to run only those', build: false, run: check },
  faults: {
    about: 'break servers on purpose and watch',
    build: true,
    tool: { package: 'vitest', args: ['run', '--config', 'vitest.faults.config.ts'] },
  },
  secrets: {
    about: 'run all tests with secrets in the hands of every server, and search everything for them',
    build: true,
    tool: { package: 'vitest', args: ['run', '--config', 'vitest.secrets.config.ts'] },
  },
  conformance: {
    about: 'the official conformance suite against our client; name a revision to run only that',
    build: true,
    folder: 'conformance',
    load: async () => (await import('../conformance/run.mjs')).conformance,
  },
  bench: {
    about: 'measure us against our peers; --quick only checks that it works, --only NAME runs one',
    build: true,
    folder: 'bench',
    load: async () => (await import('../bench/run.mjs')).bench,
  },
  servers: {
    about: 'use public servers from npm through one hub; --only NAME tries one, --json prints all that was seen',
    build: true,
    folder: 'servers',
    load: async () => (await import('../servers/run.mjs')).servers,
  },
  schemas: {
    about: 'hold the schema engine against the official cases and the schemas of public servers',
    build: true,
    load: async () => (await import('../test/schemas/run.mjs')).schemas,
  },
  search: {
    about: 'hold the tool search against a plain BM25 on published queries',
    build: true,
    load: async () => (await import('../test/search/run.mjs')).search,
  },
  disclosure: {
    about: 'what closed sections cost a model and what they hide from it, on the tools of public servers',
    build: true,
    load: async () => (await import('../disclosure/run.mjs')).disclosure,
  },
  build: { about: 'compile src to dist', build: true },
};

/** Sets up what the named command needs, then becomes it. */
export async function main([name, ...rest]) {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined;
  if (!command) return usage(name);
  // `npm start -- --help` arrives without the dashes, a direct call with them.
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  if (process.env.npm_lifecycle_event) stopWithNpm();
  try {
    await ensureInstalled();
    if (command.build) await ensureBuilt();
    if (command.folder) await ensureFolderInstalled(command.folder);
    await perform(command, args);
  } catch (error) {
    fail(error);
  }
}

async function perform(command, args) {
  const run = command.run ?? (await command.load?.());
  if (run) {
    process.exitCode = await run(args);
  } else if (command.tool) {
    const ending = await runTool({ ...command.tool, args: [...command.tool.args, ...args], stdio: 'inherit' });
    process.exitCode = ending.signal ? signalStatus(ending.signal) : ending.status;
  } else if (command.enter) {
    await enter(join(root, command.enter), args);
  }
}

async function enter(file, args) {
  if (!existsSync(file)) throw new SetUpError(`There is no ${file}.`);
  process.argv = [process.execPath, file, ...args];
  // Not awaited: what the program throws is its own to report, not a failure of the set-up.
  void import(pathToFileURL(file).href);
}

/** npm runs us through a shell that dies of a signal without passing it on; whoever ends npm means us. */
function stopWithNpm() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}

function usage(name) {
  if (name) console.error(`There is no command '${name}'.`);
  console.error('Usage: node scripts/run.mjs COMMAND [-- ARGUMENT…]\n');
  for (const [key, { about }] of Object.entries(COMMANDS)) console.error(`  ${key.padEnd(11)} ${about}`);
  process.exitCode = 2;
}

function fail(error) {
  if (error instanceof Interrupted) {
    process.exitCode = signalStatus(error.signal);
  } else if (error instanceof SetUpError) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}

function signalStatus(signal) {
  return 128 + constants.signals[signal];
}
