import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spellingsOf } from '../fixtures/servers/spellings.mjs';
import { openTemporaryFolder } from '../fixtures/temporary-folder.ts';
import { readFiles } from '../project-files.ts';
import { createCanaries } from './canaries.mjs';
import { EXCEPTIONS } from './exceptions.ts';
import { readSightings, Watch } from './sightings.mjs';
import { watchOutput } from './watch-output.ts';

// Of its own, so that nothing here is a sighting in a run for secrets.
const seed = 'seed of this test';
const { cores, env, headers, values } = createCanaries(seed);
const [core = ''] = cores;
const secrets = Object.values({ ...env, ...headers, ...values }).filter((value) => !value.startsWith('${'));

const around = (text: string): string => `before ${text} after`;

test('the canaries have quotes, slashes and letters of other alphabets, and none has a line break', () => {
  expect(secrets).toHaveLength(cores.length);
  for (const secret of secrets) expect(secret).toMatch(/^(?=.*")(?=.*')(?=.*\/)(?=.*\\)(?=.*[^\0-\u007F]).+$/);
});

test.each(secrets.flatMap((secret) => spellingsOf(secret)))('sees a secret in every spelling: %s', async (spelling) => {
  expect(await seenIn([spelling, around(spelling)])).toEqual([true, true]);
});

test.each<[string, unknown]>([
  ['the beginning of a secret', core.slice(0, 19)],
  ['the end of one', core.slice(-19)],
  ['the message of an error', new Error(around(core))],
  ['the cause of a cause', new Error('x', { cause: new Error('y', { cause: core }) })],
  ['an error in a list of errors', new AggregateError([new Error(core)])],
  ['the stack of an error', Object.assign(new Error('x'), { stack: core })],
  ['a key', { [core]: 1 }],
  ['a field that is not enumerable', Object.defineProperty({}, 'hidden', { value: { core } })],
  ['a map', new Map([['x', new Set([core])]])],
  ['bytes', new TextEncoder().encode(core)],
  ['a url', new URL(`http://host/?key=${core}`)],
  ['something that holds itself', selfish()],
])('sees it in %s', async (_, thing) => {
  expect(await seenIn([thing])).toEqual([true]);
});

test('sees nothing where there is nothing', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(10);
  expect(
    await seenIn(['', letters, btoa(letters), { letters }, new Error('***'), core.slice(0, 9), undefined, 7]),
  ).toEqual(Array.from({ length: 8 }, () => false));
});

test('says in which sink, in which forms and during which test', async () => {
  await using folder = await openTemporaryFolder();
  const at = { file: 'some.test.ts', test: 'some test' };
  const hex = Buffer.from(core).toString('hex');
  new Watch({ seed, folder: folder.path }).search('logs', { text: `${core} ${hex} ${btoa(core)}` }, at);
  expect(readSightings(folder.path)).toEqual([
    { ...at, sink: 'logs', forms: ['text', 'hex', 'base64'], around: expect.stringContaining(core) },
  ]);
});

test('searches the names and the contents of files', async () => {
  await using record = await openTemporaryFolder();
  await using folder = await openTemporaryFolder();
  writeFileSync(folder.file('plain.txt'), 'nothing');
  writeFileSync(folder.file('told.txt'), around(core));
  writeFileSync(folder.file(core), 'nothing');
  const watch = new Watch({ seed, folder: record.path });
  watch.searchFolder(folder.path);
  watch.searchFolder(join(folder.path, 'gone'));
  const sinks = readSightings(record.path).map(({ sink }) => sink);
  expect(sinks.toSorted()).toEqual([`file ${core}`, 'file told.txt'].toSorted());
});

test('everything that a process writes is searched, and written all the same', () => {
  const written: unknown[] = [];
  const noted: unknown[] = [];
  const write = (...args: readonly unknown[]): boolean => written.push(args[0]) > 0;
  const streams = { stdout: { write }, stderr: { write } };
  const console = { debug: write, log: write, info: write, warn: write, error: write };
  watchOutput({ streams, console }, (sink, thing) => noted.push([sink, thing]));
  streams.stdout.write('a');
  streams.stderr.write('b');
  for (const tell of Object.values(console)) tell('c');
  expect(written).toEqual(['a', 'b', ...'ccccc']);
  expect(noted).toEqual([['stdout', 'a'], ['stderr', 'b'], ...Array.from('ccccc', (text) => ['console', [text]])]);
});

test.each(EXCEPTIONS)('there is a test of the name that is excepted: $test', ({ file, test: name }) => {
  const [source] = readFiles([file]);
  for (const part of name.split(' > ')) expect(source?.text).toContain(part);
});

async function seenIn(things: readonly unknown[]): Promise<readonly boolean[]> {
  await using folder = await openTemporaryFolder();
  const watch = new Watch({ seed, folder: folder.path });
  for (const [index, thing] of things.entries()) watch.search(String(index), thing);
  const sinks = new Set(readSightings(folder.path).map(({ sink }) => sink));
  return things.map((_, index) => sinks.has(String(index)));
}

function selfish(): object {
  const thing: Record<string, unknown> = {};
  return Object.assign(thing, { thing, core });
}
