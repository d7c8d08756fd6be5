import type { ToolRef } from '../call/tool-ref.ts';
import type { BoundPolicy, ToolPolicy } from '../policy/tool-policy.ts';
import { createPolicy } from './create-policy.ts';
import type { MergedConfig } from './merge-configs.ts';
import type { ProfileEntry, SectionEntry } from './section-entry.ts';

/** The policies that config files declare, at the places where they stand; a `Caller` takes them as they are. */
export interface ConfigPolicies {
  /** What servers mean by the names of policies. */
  readonly namedPolicies: ReadonlyMap<string, ToolPolicy>;
  readonly sectionPolicies: readonly BoundPolicy[];
  /** Those of the profile: they decide on every call. */
  readonly policies: readonly ToolPolicy[];
}

/** The profile that holds where none is named. */
export const DEFAULT_PROFILE = 'default';

/** Makes the policies of the config files for one profile; throws if one cannot be made. */
export function createConfigPolicies(
  config: Pick<MergedConfig, 'policies' | 'sections' | 'profiles'>,
  profileName: string = DEFAULT_PROFILE,
): ConfigPolicies {
  const { sections } = config;
  const named = new Map([...config.policies].map(([name, entry]) => [name, createPolicy(name, entry)]));
  const resolve = (names: readonly string[] = []): readonly ToolPolicy[] =>
    names.flatMap((name) => named.get(name) ?? []);
  const profile = config.profiles.get(profileName);
  return {
    namedPolicies: named,
    sectionPolicies: [...sections].flatMap(([section, entry]) => {
      const scope = { kind: 'section', section, covers: coverage(section, sections, profile) } as const;
      return resolve(entry.policies).map((policy) => ({ policy, scope }));
    }),
    policies: resolve(profile?.policies),
  };
}

/** A section covers its servers, unless the profile leaves it out and reaches the server through another section. */
function coverage(
  name: string,
  sections: ReadonlyMap<string, SectionEntry>,
  profile: ProfileEntry | undefined,
): (tool: ToolRef) => boolean {
  const chosen = profile?.sections ?? [...sections.keys()];
  const reached = new Set(chosen.flatMap((section) => sections.get(section)?.servers ?? []));
  const own = sections.get(name)?.servers ?? [];
  // Choosing another profile must not free a server of every section's policies.
  const covered = new Set(chosen.includes(name) ? own : own.filter((server) => !reached.has(server)));
  return ({ server }) => server !== undefined && covered.has(server);
}
