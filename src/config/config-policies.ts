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

type Declarations = Pick<MergedConfig, 'sections' | 'profiles'>;

/** Makes the policies of the config files for one profile; throws if one cannot be made. */
export function createConfigPolicies(
  config: Declarations & Pick<MergedConfig, 'policies'> & Partial<Pick<MergedConfig, 'own'>>,
  profileName: string = DEFAULT_PROFILE,
): ConfigPolicies {
  const named = new Map([...config.policies].map(([name, entry]) => [name, createPolicy(name, entry)]));
  // What a user has put in force holds in every project; what the project declares can only add to it.
  const layers = [...(config.own ?? []), config];
  const chosen = layers.flatMap(({ profiles }) => profiles.get(profileName)?.policies ?? []);
  return {
    namedPolicies: named,
    sectionPolicies: sectionBindings(layers, profileName).flatMap(({ name, section, covers }) => {
      const policy = named.get(name);
      return policy ? [{ policy, scope: { kind: 'section', section, covers } }] : [];
    }),
    policies: [...new Set(chosen)].flatMap((name) => named.get(name) ?? []),
  };
}

interface SectionBinding {
  /** Of the policy. */
  readonly name: string;
  readonly section: string;
  readonly covers: (tool: ToolRef) => boolean;
}

/** Every policy of every section, once, over all that it covers in any of the layers. */
function sectionBindings(layers: readonly Declarations[], profileName: string): readonly SectionBinding[] {
  const bindings = new Map<string, SectionBinding>();
  for (const { sections, profiles } of layers) {
    for (const [section, { policies = [] }] of sections) {
      const covers = coverage(section, sections, profiles.get(profileName));
      for (const name of policies) {
        const key = JSON.stringify([section, name]);
        const before = bindings.get(key)?.covers ?? (() => false);
        bindings.set(key, { name, section, covers: (tool) => before(tool) || covers(tool) });
      }
    }
  }
  return [...bindings.values()];
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
