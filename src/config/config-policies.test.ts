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
function reach(profile?: string): readonly (readonly string[])[] {
  return createConfigPolicies(HOUSE, profile).sectionPolicies.map(({ policy, scope }) => {
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
