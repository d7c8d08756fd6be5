import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CliFolder } from '../cli/cli-folder.ts';
import { fixturePath } from '../fixtures/fixture-paths.ts';
import { until } from '../fixtures/until.ts';
import { startLeakyHttp } from './leaky-http.ts';
import { placesSeen, plantSecrets } from './planted-secrets.ts';
import type { PlantedSecrets } from './planted-secrets.ts';

const NO_SCRUBBER = new URL('../fixtures/processes/no-scrubber.mjs', import.meta.url).href;

const COMMANDS = [
  'tools --json',
  'status',
  'status --json',
  'doctor',
  'types leaky',
  'call leaky fail',
  'call leaky refuse --json',
  'call remote fail --json',
];

// Each of them is a process of its own that starts others.
const PATIENCE_MS = 180_000;

const UP = 'up --json';
const EVENTS = 'events --json';
const STATE = 'state';

test(
  '[S1.secrets] no command shows a secret or leaves one behind, whatever the servers tell',
  async () => {
    const secrets = plantSecrets();
    expect(placesSeen(secrets, await runCommands(secrets))).toEqual({});
  },
  PATIENCE_MS,
);

test(
  '[S1.secrets] the same commands without the scrubber show them',
  async () => {
    const secrets = plantSecrets();
    const outputs = await runCommands(secrets, { NODE_OPTIONS: `--import ${NO_SCRUBBER}` });
    expect(Object.keys(placesSeen(secrets, outputs))).toEqual([...COMMANDS, UP, EVENTS, STATE]);
  },
  PATIENCE_MS,
);

/** What every command writes, with its logs, and what is in the files that are left. */
async function runCommands(
  secrets: PlantedSecrets,
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  await using remote = await startLeakyHttp('rpc-error', 'call');
  await using cli = await CliFolder.open({
    leaky: leaky(),
    odd: leaky('odd-version'),
    remote: { url: `${remote.origin}/mcp`, headers: { Authorization: 'Bearer ${SPACES}', 'X-Api-Key': '${QUOTES}' } },
  });
  // The last one comes from the file, the others from the environment.
  cli.write('.env', `LINES=${JSON.stringify(secrets.lines)}\n`);
  const { lines: _, ...others } = secrets;
  const known = Object.entries<string>(others).map(([name, value]) => [name.toUpperCase(), value]);
  const options = { env: { ...(Object.fromEntries(known) as Record<string, string>), ...env } };
  const outputs: Record<string, readonly unknown[]> = {};
  const run = async (command: string): Promise<void> => {
    const { stdout, stderr } = await cli.run([...command.split(' '), '--log-level', 'trace'], options);
    outputs[command] = [stdout, stderr];
  };
  for (const command of COMMANDS) await run(command);
  outputs[UP] = await watchUp(cli, options);
  await run(EVENTS);
  outputs[STATE] = textsUnder(join(cli.path, STATE));
  return outputs;
}

function leaky(...args: readonly string[]): object {
  const names = ['QUOTES', 'SLASHES', 'LINES', 'FOREIGN', 'SPACES', 'SYMBOLS'];
  const env = Object.fromEntries(names.map((name) => [`LEAK_${name}`, `\${${name}}`]));
  return { command: process.execPath, args: [fixturePath('leaky-server.mjs'), ...args], env };
}

async function watchUp(cli: CliFolder, options: { readonly env: Record<string, string> }): Promise<readonly unknown[]> {
  await using up = cli.start([...UP.split(' '), '--log-level', 'trace'], options);
  const isSettled = (): boolean => up.stdout.includes('"server-failed"') && up.stdout.includes('"server-connected"');
  await until(isSettled, { describe: 'every server is up or down', limitMs: PATIENCE_MS / 2 });
  up.child.kill('SIGTERM');
  const { stdout, stderr } = await up.ended;
  return [stdout, stderr];
}

function textsUnder(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? textsUnder(path) : [name, readFileSync(path, 'utf8')];
  });
}
