import { expect, test } from 'vitest';
import { stateFolder } from './state-folder.ts';

test.each([
  [{ FAIRLEAD_HOME: '/own', XDG_STATE_HOME: '/state' }, '/own'],
  [{ XDG_STATE_HOME: '/state' }, '/state/fairlead'],
  [{ FAIRLEAD_HOME: '', XDG_STATE_HOME: 'relative' }, '/people/ada/.local/state/fairlead'],
  [{}, '/people/ada/.local/state/fairlead'],
])('with %j what was learned is kept in %s', (env, folder) => {
  expect(stateFolder(env, '/people/ada')).toBe(folder);
});
