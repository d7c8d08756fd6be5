import { FLAGS, GLOBAL_FLAGS } from './flags.ts';
import type { FlagName } from './flags.ts';
import { findVerb, VERBS } from './verbs.ts';
import type { Verb } from './verbs.ts';

/** The help of the whole command line, or of one verb. */
export function renderHelp(verb?: Verb): string {
  return verb ? verbHelp(verb) : generalHelp();
}

/** How a verb is used, in one line; without a verb, how the command line is. */
export function usageLine(name?: string): string {
  const verb = name === undefined ? undefined : findVerb(name);
  return verb ? `Usage: fairlead ${verb.name} ${verb.usage}` : 'Usage: fairlead [VERB] [ARGUMENT …]';
}

function generalHelp(): string {
  const widest = Math.max(...VERBS.map(({ name }) => name.length));
  const own = (['json'] as const).filter((flag) => !GLOBAL_FLAGS.includes(flag));
  return [
    'Fairlead plugs MCP servers into AI agents and keeps every call under control.',
    '',
    usageLine(),
    '',
    'Verbs:',
    ...VERBS.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`),
    '',
    'Flags:',
    ...flagLines([...own, ...GLOBAL_FLAGS]),
    '',
    'Exit status: 0 ok, 1 the call failed or nothing answered, 2 wrong usage, config.',
    'Servers are declared in fairlead.local.yaml, fairlead.yaml or .mcp.json of this',
    'folder, or in ~/.config/fairlead/fairlead.yaml.',
    '`fairlead help VERB` says more about a verb.',
  ].join('\n');
}

function verbHelp(verb: Verb): string {
  const [first = '', ...rest] = verb.summary;
  return [
    usageLine(verb.name),
    '',
    `${first.toUpperCase()}${rest.join('')}.`,
    ...(verb.details ?? []),
    '',
    'Flags:',
    ...flagLines([...verb.flags, ...GLOBAL_FLAGS.filter((flag) => flag !== 'version')]),
  ].join('\n');
}

function flagLines(names: readonly FlagName[]): readonly string[] {
  const spelled = names.map((name) => {
    const { short, value, about } = FLAGS[name];
    return {
      words: `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
      about,
    };
  });
  const widest = Math.max(...spelled.map(({ words }) => words.length));
  return spelled.map(({ words, about }) => `  ${words.padEnd(widest)}  ${about}`);
}
