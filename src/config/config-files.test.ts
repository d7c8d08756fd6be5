import { expect, test } from 'vitest';
import { configLocations, explicitLocation } from './config-files.ts';

const SURROUNDINGS = { cwd: '/work/app', home: '/home/ada', env: {} };

test('files are looked for from the strongest to the weakest', () => {
  expect(configLocations(SURROUNDINGS)).toEqual([
    { path: '/etc/fairlead/fairlead.yaml', scope: 'managed', format: 'yaml', dialect: 'fairlead' },
    { path: '/work/app/fairlead.local.yaml', scope: 'local', format: 'yaml', dialect: 'fairlead' },
    { path: '/work/app/fairlead.yaml', scope: 'project', format: 'yaml', dialect: 'fairlead' },
    { path: '/work/app/.mcp.json', scope: 'project', format: 'json', dialect: 'mcp-json' },
    { path: '/home/ada/.config/fairlead/fairlead.yaml', scope: 'user', format: 'yaml', dialect: 'fairlead' },
  ]);
});

test('XDG_CONFIG_HOME says where the user’s file is, if it is absolute', () => {
  const userPath = (value: string) =>
    configLocations({ ...SURROUNDINGS, env: { XDG_CONFIG_HOME: value } }).find(({ scope }) => scope === 'user')?.path;
  expect(userPath('/conf')).toBe('/conf/fairlead/fairlead.yaml');
  expect(userPath('conf')).toBe('/home/ada/.config/fairlead/fairlead.yaml');
  expect(userPath('')).toBe('/home/ada/.config/fairlead/fairlead.yaml');
});

test('in the folder of the user’s own file that file is the user’s, not a project’s', () => {
  const locations = configLocations({ ...SURROUNDINGS, cwd: '/home/ada/.config/fairlead' });
  expect(locations.map(({ path, scope }) => [path, scope])).toEqual([
    ['/etc/fairlead/fairlead.yaml', 'managed'],
    ['/home/ada/.config/fairlead/fairlead.local.yaml', 'local'],
    ['/home/ada/.config/fairlead/.mcp.json', 'project'],
    ['/home/ada/.config/fairlead/fairlead.yaml', 'user'],
  ]);
});

test('a file asked for by its path keeps the scope it has by itself, and has none that may trust otherwise', () => {
  const scopes = [
    'other.yaml',
    'sub/../fairlead.yaml',
    '/etc/fairlead/fairlead.yaml',
    '/home/ada/.config/fairlead/fairlead.yaml',
  ];
  expect(scopes.map((path) => explicitLocation(path, SURROUNDINGS).scope)).toEqual([
    'local',
    'project',
    'managed',
    'user',
  ]);
});

test('its format goes by its extension', () => {
  const formats = ['a.yaml', 'a.yml', 'a', 'a.json', 'a.jsonc', 'sub/.mcp.json'];
  expect(formats.map((path) => explicitLocation(path, SURROUNDINGS).format)).toEqual([
    'yaml',
    'yaml',
    'yaml',
    'json',
    'json',
    'json',
  ]);
});
