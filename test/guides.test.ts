import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createConfigPolicies } from '../src/config/config-policies.ts';
import { mergeConfigs } from '../src/config/merge-configs.ts';
import { parseConfig } from '../src/config/parse-config.ts';
import { parseYamlDocument } from '../src/config/yaml-document.ts';

const folder = new URL('../docs/guides/', import.meta.url);

test.each(await readdir(folder))('every piece of YAML in %s is a config that works', async (file) => {
  const text = await readFile(new URL(file, folder), 'utf8');
  for (const [, yaml = ''] of text.matchAll(/```yaml\n([^]*?)```/g)) {
    const whole = /^version:/m.test(yaml) ? yaml : `version: 1\n${yaml}`;
    const config = mergeConfigs([parseConfig(parseYamlDocument(whole, file), 'user')]);
    expect(config.warnings).toEqual([]);
    expect(() => createConfigPolicies(config)).not.toThrow();
  }
});
