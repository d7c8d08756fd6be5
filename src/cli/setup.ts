import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { closestWord } from '../config/closest-word.ts';
import { createConfigPolicies } from '../config/config-policies.ts';
import type { ConfigPolicies } from '../config/config-policies.ts';
import { configLocations } from '../config/config-files.ts';
import type { ConfigWarning } from '../config/config-problem.ts';
import { loadConfig } from '../config/load-config.ts';
import type { LoadedConfig, LoadedFile } from '../config/load-config.ts';
import { dotenvSource, environmentSource } from '../config/secret-sources.ts';
import type { SecretSource } from '../config/secret-sources.ts';
import type { McpServer } from '../config/server.ts';
import type { SectionEntry } from '../config/section-entry.ts';
import { stateFolder } from '../config/state-folder.ts';
import type { Command } from './command.ts';
import { embeddedServers } from './embedded-servers.ts';
import { shortPath } from './short-path.ts';
import { UsageError } from './usage-error.ts';

/** What a command works with: the declared servers, and where they come from. */
export interface Setup {
  readonly servers: readonly McpServer[];
  /** The sections that config files declare. */
  readonly sections: ReadonlyMap<string, SectionEntry>;
  /** What decides on calls, for the profile that was asked for. */
  readonly policies: ConfigPolicies;
  readonly secrets: readonly SecretSource[];
  /** Where what was learned about servers is kept between commands. */
  readonly stateFolder: string;
  /** The config files that were read; none means that the embedded servers are used. */
  readonly files: readonly LoadedFile[];
  readonly warnings: readonly ConfigWarning[];
  /** Where config files were looked for, as short as they can be named. */
  readonly lookedFor: readonly string[];
}

/** Reads the config files, or falls back to the embedded servers where there are none. */
export async function loadSetup({
  verb,
  flags,
  cwd,
  env,
  clock,
}: Pick<Command, 'verb' | 'flags' | 'cwd' | 'env' | 'clock'>): Promise<Setup> {
  const { config: configFile } = flags;
  const surroundings = { cwd, home: homedir(), env };
  const config = await loadConfig({
    ...surroundings,
    ...(configFile !== undefined && { configFile }),
  });
  const { files, servers, warnings } = config;
  const shown = ({ path }: { readonly path: string }): string => shortPath(path, cwd);
  return {
    servers: files.length > 0 ? servers : await embeddedServers(clock),
    sections: config.sections,
    policies: policiesOf(config, flags.profile, verb),
    stateFolder: stateFolder(env, surroundings.home),
    secrets: [environmentSource(env), ...dotenvSources(cwd, configFile)],
    files,
    warnings,
    lookedFor: configFile === undefined ? configLocations(surroundings).map(shown) : [configFile],
  };
}

function policiesOf(config: LoadedConfig, profile: string | undefined, verb: string): ConfigPolicies {
  if (profile === undefined || config.profiles.has(profile)) return createConfigPolicies(config, profile);
  const names = [...config.profiles.keys()];
  const meant = closestWord(profile, names);
  const hint = meant === undefined ? `declared: ${names.join(', ') || 'none'}` : `did you mean ${meant}?`;
  throw new UsageError(`there is no profile '${profile}'; ${hint}`, verb);
}

/** The `.env` of the working directory, then that beside a config file which was asked for. */
function dotenvSources(cwd: string, configFile: string | undefined): readonly SecretSource[] {
  const folders = new Set([cwd, configFile === undefined ? cwd : dirname(resolve(cwd, configFile))]);
  return [...folders].map((folder) => {
    const path = join(folder, '.env');
    return dotenvSource(path, shortPath(path, cwd));
  });
}
