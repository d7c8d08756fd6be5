import { dirname } from 'node:path/posix';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { paperDisk } from '../../test/fixtures/paper-disk.ts';
import { isWithin, programFolders } from './program-folders.ts';
import type { Program } from './program-folders.ts';

const HOME = '/home/ada';

function folders(files: Readonly<Record<string, string>>, program: Partial<Program>): readonly string[] {
  const whole = { file: '/usr/bin/node', args: [], cwd: '/', path: '/usr/bin', home: HOME, ...program };
  return programFolders(whole, paperDisk({ '/usr/bin/node': '', ...files }));
}

describe('a program is made of', () => {
  test('nothing but the system, if it is there', () => {
    expect(folders({}, { args: ['-e', '0'] })).toEqual([]);
  });

  test('the package of the script that an interpreter runs', () => {
    const files = { '/srv/tools/package.json': '', '/srv/tools/dist/main.js': '' };
    expect(folders(files, { args: ['--no-warnings', 'dist/main.js', 'x'], cwd: '/srv/tools' })).toEqual(['/srv/tools']);
  });

  test('all modules beside a script that is a module', () => {
    const script = '/srv/app/node_modules/@scope/server/dist/main.js';
    expect(
      folders({ [script]: '', '/srv/app/node_modules/@scope/server/package.json': '' }, { args: [script] }),
    ).toEqual(['/srv/app/node_modules']);
  });

  test('the folder of a script that belongs to no package', () => {
    expect(
      folders(
        { '/srv/tools/main.py': '', '/usr/bin/python3': '' },
        { file: '/usr/bin/python3', args: ['/srv/tools/main.py'] },
      ),
    ).toEqual(['/srv/tools']);
  });

  test('the installation of an interpreter, as nvm and virtual environments have it', () => {
    const nvm = `${HOME}/.nvm/versions/node/v24`;
    expect(folders({ [`${nvm}/bin/node`]: '', [`${nvm}/lib/x`]: '' }, { file: `${nvm}/bin/node` })).toEqual([nvm]);
    const venv = { '/srv/e/bin/python': '-> /usr/bin/python3', '/usr/bin/python3': '', '/srv/e/pyvenv.cfg': '' };
    expect(folders(venv, { file: '/srv/e/bin/python', args: ['-m', 'server'] })).toEqual(['/srv/e']);
  });

  test('a link and what it leads to', () => {
    const files = {
      '/opt/tools/server/main.js': '#!/usr/bin/env node',
      '/opt/tools/server/package.json': '',
      '/srv/bin/server': '-> /opt/tools/server/main.js',
    };
    expect(folders(files, { file: '/srv/bin/server' })).toEqual(['/srv/bin', '/opt/tools/server']);
  });

  test('what the first line of a script names, found on its PATH', () => {
    const files = {
      '/srv/s/main': '#!/usr/bin/env -S node --no-warnings',
      '/opt/node/bin/node': '',
      '/opt/node/lib/x': '',
    };
    expect(folders(files, { file: '/srv/s/main', path: '/nowhere:/opt/node/bin:/usr/bin' })).toEqual([
      '/srv/s',
      '/opt/node',
    ]);
  });

  test('companions that must run beside it', () => {
    expect(
      folders({ '/opt/socat/bin/socat': '', '/opt/socat/lib/x': '' }, { companions: ['/opt/socat/bin/socat'] }),
    ).toEqual(['/opt/socat']);
  });
});

describe('what is too wide is never let in', () => {
  test.each([
    ['a script in the home folder', { [`${HOME}/main.js`]: '' }, `${HOME}/main.js`],
    ['a package file in the home folder', { [`${HOME}/package.json`]: '', [`${HOME}/main.js`]: '' }, `${HOME}/main.js`],
    ['a script in /tmp', { '/tmp/main.js': '' }, '/tmp/main.js'],
  ])('%s is let in alone', (_, files, script) => {
    expect(folders(files, { args: [script] })).toEqual([script]);
  });

  test('a program in ~/.local/bin is let in alone', () => {
    const file = `${HOME}/.local/bin/uvx`;
    expect(folders({ [file]: '', [`${HOME}/.local/lib/x`]: '' }, { file })).toEqual([file]);
  });

  test('arguments that are no script of an interpreter bring nothing in', () => {
    expect(
      folders(
        { '/usr/bin/server': '', '/data/secret.txt': '' },
        { file: '/usr/bin/server', args: ['/data/secret.txt'] },
      ),
    ).toEqual([]);
  });

  test.each([
    '#!/usr/bin/env -S -u ../../secret/key node',
    '#!/usr/bin/env ../../secret/key',
    '#!/secret/../usr/bin/node',
    '#!/secret/x/../../usr/bin/node',
    '#!secret/node',
    '#!/secret/gone',
  ])('what a script says in its first line brings no folder of its choice in: %s', (line) => {
    const files = { '/srv/s/main': line, '/secret/key': '', '/secret/package.json': '', '/usr/lib/x': '' };
    expect(folders(files, { file: '/srv/s/main', path: '/usr/bin' })).toEqual(['/srv/s']);
  });

  test('a home folder that is reached by a link is one all the same', () => {
    const files = { '/home': '-> /var/home', [HOME]: '-> /var/home/ada', '/var/home/ada/main.js': '' };
    expect(folders(files, { args: ['/var/home/ada/main.js'] })).toEqual(['/var/home/ada/main.js']);
  });

  test("so is somebody else's", () => {
    expect(folders({ '/home/user/main.js': '' }, { args: ['/home/user/main.js'] })).toEqual(['/home/user/main.js']);
  });

  test('a path with steps back in it is what it leads to', () => {
    const files = { '/srv/tools/main.js': '' };
    expect(folders(files, { args: ['/srv/other/../tools/main.js'] })).toEqual(['/srv/tools']);
    expect(folders({ '/srv/tools/run': '' }, { file: '/srv/x/../tools/run' })).toEqual(['/srv/tools']);
  });

  test('whatever is run from wherever', () => {
    const name = fc.constantFrom('a', 'bin', 'lib', 'node_modules', '.local', 'package.json', 'main.js');
    const above = fc.constantFrom('/', '/home', HOME, '/opt', '/tmp', '/srv/x');
    const path = fc
      .tuple(above, fc.array(name, { minLength: 1, maxLength: 4 }))
      .map(([top, rest]) => [top, ...rest].join('/').replaceAll('//', '/'));
    fc.assert(
      fc.property(path, fc.array(path), (script, others) => {
        const files = Object.fromEntries([...others, script].map((each) => [each, '']));
        for (const folder of folders(files, { args: [script] })) {
          expect(folder === script || !isWithin(HOME, [folder])).toBe(true);
          expect(isWithin(script, [folder])).toBe(true);
          expect(folder === script || folder !== dirname(folder)).toBe(true);
        }
      }),
    );
  });
});
