import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manyTiny } from '../tiny/command.mjs';

/** A config file with many servers, and a state folder in which nothing is known of them yet. */
export function writeConfig(folder, count) {
  const config = join(folder, 'fairlead.yaml');
  const stateFolder = join(folder, 'state');
  mkdirSync(stateFolder);
  const servers = manyTiny(count).map(
    ({ name, command, args }) => `  ${name}: { command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)} }\n`,
  );
  writeFileSync(config, `version: 1\nservers:\n${servers.join('')}`);
  return { config, stateFolder, count, processLog: join(folder, 'processes') };
}
