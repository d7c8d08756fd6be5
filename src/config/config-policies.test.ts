import { describe, expect, test } from 'vitest';
import { toolRef } from '../../test/fixtures/policy-context.ts';
import type { ToolPolicy } from '../policy/tool-policy.ts';
import { createConfigPolicies } from './config-policies.ts';
import { mergeConfigs } from './merge-configs.ts';
import type { MergedConfig } from './merge-configs.ts';
import { parseConfig } from './parse-config.ts';
import { parseYamlDocument } from './yaml-document.ts';

const config = (text: string): MergedConfig =>
  mergeConfigs([parseConfig(parseYamlDocument(`version: 1\n${text}`, 'fairlead.yaml'), 'project')]);

/** A project's file over the user's own, which declares the policies. */
const inProject = (project: string, user: string, projectScope: 'project' | 'local' = 'project'): MergedConfig =>
  mergeConfigs([
    parseConfig(parseYamlDocument(`version: 1\n${project}`, 'fairlead.yaml'), projectScope),
    parseConfig(parseYamlDocument(`version: 1\n${OWN_POLICIES}\n${user}`, 'user.yaml'), 'user'),
  ]);

const OWN_POLICIES = `
policies:
  careful: { kind: permissions }
  quiet: { kind: patterns, deny: ["*/shout"] }
  slow: { kind: rate-limit, calls: 1, window: 1 }`;

const names = (policies: readonly ToolPolicy[]): readonly string[] => policies.map(({ name }) => name);

const HOUSE = config(`
servers: { git: { command: git }, files: { command: files }, web: { command: web } }
policies:
  careful: { kind: permissions }
  quiet: { kind: patterns, deny: ["*/shout"] }
  slow: { kind: rate-limit, calls: 1, window: 1 }
sections:
  code: { title: Code, servers: [git, files], policies: [careful] }
  review: { title: Review, servers: [git, web], policies: [quiet, slow] }
profiles:
  default: { policies: [slow] }
  coding: { sections: [code], policies: [quiet, careful] }
  bare: { sections: [] }
`);

/** Which servers each policy of a section decides on. */
function reach(profile?: string, house: MergedConfig = HOUSE): readonly (readonly string[])[] {
  return createConfigPolicies(house, profile).sectionPolicies.map(({ policy, scope }) => {
    const covers = scope.kind === 'section' ? scope.covers : () => false;
    const servers = ['git', 'files', 'web'].filter((server) => covers(toolRef(`${server}/tool`)));
    return [scope.kind === 'section' ? scope.section : '', policy.name, ...servers];
  });
}

describe('where the policies of a config stand', () => {
  test('servers find theirs by name', () => {
    const { namedPolicies } = createConfigPolicies(HOUSE);
    expect([...namedPolicies].map(([name, policy]) => [name, policy.name])).toEqual([
      ['careful', 'careful'],
      ['quiet', 'quiet'],
      ['slow', 'slow'],
    ]);
  });

  test('one entry is one policy, wherever it stands', () => {
    const { namedPolicies, policies, sectionPolicies } = createConfigPolicies(HOUSE);
    const slow = namedPolicies.get('slow');
    expect([policies[0] === slow, sectionPolicies.at(-1)?.policy === slow]).toEqual([true, true]);
  });

  test.for([
    [undefined, ['slow']],
    ['coding', ['quiet', 'careful']],
    ['bare', []],
    ['unheard-of', []],
  ] as const)('the profile %s decides on everything with %j', ([profile, expected]) => {
    expect(names(createConfigPolicies(HOUSE, profile).policies)).toEqual(expected);
  });

  test('a section decides on its own servers, and on no native tool', () => {
    expect(reach()).toEqual([
      ['code', 'careful', 'git', 'files'],
      ['review', 'quiet', 'git', 'web'],
      ['review', 'slow', 'git', 'web'],
    ]);
    const [bound] = createConfigPolicies(HOUSE).sectionPolicies;
    expect(bound?.scope.kind === 'section' && bound.scope.covers(toolRef('native'))).toBe(false);
  });

  test('a section that the profile leaves out keeps only the servers that no section of the profile has', () => {
    expect(reach('coding')).toEqual([
      ['code', 'careful', 'git', 'files'],
      ['review', 'quiet', 'web'],
      ['review', 'slow', 'web'],
    ]);
    expect(reach('bare')).toEqual(reach());
  });
});

describe('what a user has put in force holds in every project', () => {
  test.each(['project', 'local'] as const)("a %s file's profile adds its policies to those of the user's", (scope) => {
    const house = inProject(
      'profiles: { default: { description: Ours, policies: [slow, quiet] } }',
      'profiles: { default: { policies: [careful, slow] } }',
      scope,
    );
    expect(names(createConfigPolicies(house).policies)).toEqual(['careful', 'slow', 'quiet']);
    // Everything else of a profile is the project's business.
    expect(house.profiles.get('default')).toEqual({ description: 'Ours', policies: ['slow', 'quiet'] });
    expect(house.warnings.map(({ file, message }) => [file, message])).toEqual([
      ['user.yaml', 'only its policies are used, because fairlead.yaml declares "default" too and comes first'],
    ]);
  });

  test('a local file may replace what the project has in force', () => {
    const house = mergeConfigs(
      (['local', 'project'] as const).map((scope) => {
        const policies = scope === 'local' ? '[slow]' : '[careful]';
        const text = `version: 1\n${OWN_POLICIES}\nprofiles: { default: { policies: ${policies} } }`;
        return parseConfig(parseYamlDocument(text, `${scope}.yaml`), scope);
      }),
    );
    expect(names(createConfigPolicies(house).policies)).toEqual(['slow']);
  });

  test("a project's profile that leaves out a user's section does not free its servers", () => {
    const user = `servers: { git: { command: git } }
sections: { code: { title: Code, servers: [git], policies: [careful] } }`;
    const project = `sections: { other: { title: Other, servers: [git], policies: [slow] } }
profiles: { default: { sections: [other] } }`;
    expect(reach(undefined, inProject(project, user))).toEqual([
      ['code', 'careful', 'git'],
      ['other', 'slow', 'git'],
    ]);
  });

  test('and what the machine has put in force holds for the user, who can only add to it', () => {
    const managed = `servers: { git: { command: git, policies: [quiet] } }
sections: { corp: { title: Corp, servers: [git], policies: [careful] } }
profiles: { default: { policies: [careful] } }`;
    const user = `servers: { git: { command: mine, policies: [slow] } }
sections: { free: { title: Free, servers: [git] } }
profiles: { default: { sections: [free], policies: [slow] }, mine: { sections: [free] } }`;
    const house = mergeConfigs([
      parseConfig(parseYamlDocument(`version: 1\n${OWN_POLICIES}\n${managed}`, 'managed.yaml'), 'managed'),
      parseConfig(parseYamlDocument(`version: 1\n${user}`, 'user.yaml'), 'user'),
    ]);
    expect([reach(undefined, house), reach('mine', house)]).toEqual([
      [['corp', 'careful', 'git']],
      [['corp', 'careful', 'git']],
    ]);
    expect(names(createConfigPolicies(house).policies)).toEqual(['careful', 'slow']);
    expect(house.servers[0]).toMatchObject({ transport: { command: 'git' }, policies: ['quiet', 'slow'] });
    expect(house.warnings.map(({ message }) => message)).toEqual([
      'only its policies are used, because managed.yaml declares "git" too and comes first',
      'only its policies are used, because managed.yaml declares "default" too and comes first',
    ]);
  });

  test('nor does a section of the same name, and a policy of both stands there once', () => {
    const user = `servers: { git: { command: git }, web: { command: web } }
sections: { code: { title: Code, servers: [git], policies: [careful, slow] } }`;
    const project = 'sections: { code: { title: Theirs, servers: [web], policies: [slow] } }';
    expect(reach(undefined, inProject(project, user))).toEqual([
      ['code', 'careful', 'git'],
      ['code', 'slow', 'git', 'web'],
    ]);
  });

  test("a project's server keeps the policies of the user's server of that name", () => {
    const user =
      'servers: { git: { command: git, policies: [careful, quiet] }, web: { command: web, policies: [slow] } }';
    const house = inProject('servers: { git: { command: other, policies: [quiet, slow] } }', user);
    expect(house.servers.map(({ name, policies }) => [name, policies])).toEqual([
      ['git', ['careful', 'quiet', 'slow']],
      ['web', ['slow']],
    ]);
  });
});
