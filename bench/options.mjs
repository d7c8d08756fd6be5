import { parseArgs } from 'node:util';
import { SetUpError } from '../scripts/project.mjs';

/** What was asked for on the command line. */
export function parseOptions(args, names) {
  const { quick, only } = readFlags(args);
  if (only !== undefined && !names.includes(only))
    throw new SetUpError(`There is no bench '${only}'; the benches: ${names.join(', ')}.`);
  return { isQuick: quick, only };
}

function readFlags(args) {
  try {
    return parseArgs({ args, options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } })
      .values;
  } catch (error) {
    throw new SetUpError(`${error.message}\nUsage: npm run bench -- [--quick] [--only NAME]`);
  }
}
