import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FAILURE, SUCCESS, callOf, onServer, policyContext } from '../../test/fixtures/policy-context.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { MemoryFilesystem } from '../session/memory-filesystem.ts';
import type { ResourceKey, ResourceLookup } from '../session/resource-key.ts';
import { Filesystem } from '../session/filesystem.ts';
import { ReadBeforeWritePolicy } from './read-before-write-policy.ts';

const ALLOWED = { kind: 'allow' };
const denied = (path: string) => ({ kind: 'deny', reason: `File '${path}' must be read before overwriting.` });

describe('a file is overwritten', () => {
  const outcome = (done: readonly [string, JsonObject][], write: JsonObject) => {
    const policy = new ReadBeforeWritePolicy();
    const context = policyContext();
    for (const [tool, args] of done) policy.onResult(callOf(tool, args), SUCCESS, context);
    return policy.check(callOf('write_file', write), context);
  };

  test('only after it was read', () => {
    expect([
      outcome([], { path: 'x' }),
      outcome([['read_file', { path: 'y' }]], { path: 'x' }),
      outcome([['list', { path: 'x' }]], { path: 'x' }),
      outcome([['read_file', { path: 'x' }]], { path: 'x' }),
      outcome([['read_text_file', { file_path: 'x' }]], { path: 'x' }),
    ]).toEqual([denied('x'), denied('x'), denied('x'), ALLOWED, ALLOWED]);
  });

  test('if the session itself has written it', () => {
    expect(outcome([['edit_file', { path: 'x' }]], { path: 'x' })).toEqual(ALLOWED);
  });

  test('under any spelling of its path', () => {
    const spellings = ['b', './b', 'a/../b', './/b', 'b/', 'a/./../b'];
    fc.assert(
      fc.property(fc.constantFrom(...spellings), fc.constantFrom(...spellings), (read, written) => {
        expect(outcome([['read_file', { path: read }]], { path: written })).toEqual(ALLOWED);
      }),
    );
    expect(outcome([['read_file', { path: 'b' }]], { path: '../b' })).toEqual(denied('../b'));
  });

  test('only if every file that the call may mean is known', () => {
    const both = { path: 'x', file_path: 'y' };
    const read = (path: string): [string, JsonObject] => ['read_file', { path }];
    expect([
      outcome([read('x')], both),
      outcome([read('x'), read('y')], both),
      outcome([['read_file', both]], { path: 'y' }),
      outcome([['read_file', { path: ['x', 'y'] }]], { path: 'y' }),
    ]).toEqual([denied('y'), ALLOWED, denied('y'), ALLOWED]);
  });

  test('if the call names no file', () => {
    expect([outcome([], {}), outcome([], { path: 1 })]).toEqual([ALLOWED, ALLOWED]);
  });
});

test('a read that failed, or that was rolled back with its call, is none', () => {
  const policy = new ReadBeforeWritePolicy();
  const context = policyContext();
  policy.onResult(callOf('read_file', { path: 'x' }), FAILURE, context);
  expect(policy.check(callOf('write_file', { path: 'x' }), context)).toEqual(denied('x'));
});

test('tools and arguments can be named', () => {
  const policy = new ReadBeforeWritePolicy({ read: ['cat'], write: ['put'], pathArguments: ['file'] });
  const context = policyContext({ scope: onServer('fs') });
  const put = callOf('fs/put', { file: 'x' });
  const before = policy.check(put, context);
  policy.onResult(callOf('fs/cat', { file: 'x' }), SUCCESS, context);
  expect([before, policy.check(put, context), policy.check(callOf('fs/write_file', { path: 'x' }), context)]).toEqual([
    denied('x'),
    ALLOWED,
    ALLOWED,
  ]);
});

describe('a file that does not exist may be written', () => {
  const write = callOf('write_file', { path: './new' });

  test('if the given question says so, at once or later', async () => {
    const asked: string[] = [];
    const answer = (isThere: boolean | Promise<boolean>) =>
      new ReadBeforeWritePolicy({ exists: (path) => (asked.push(path), isThere) }).check(write, policyContext());
    expect([answer(false), answer(true)]).toEqual([ALLOWED, denied('./new')]);
    expect(await Promise.all([answer(Promise.resolve(false)), answer(Promise.resolve(true))])).toEqual([
      ALLOWED,
      denied('./new'),
    ]);
    expect(asked).toEqual(['new', 'new', 'new', 'new']);
  });

  test('if the session has a filesystem and it is not there', async () => {
    const filesystem = new MemoryFilesystem();
    await filesystem.writeText('old', 'text');
    const resources: ResourceLookup = {
      get: <Resource>(key: ResourceKey<Resource>) => (key === Filesystem ? (filesystem as Resource) : undefined),
    };
    const policy = new ReadBeforeWritePolicy();
    const answers = ['new', 'old', '../outside'].map(async (path) =>
      policy.check(callOf('write_file', { path }), policyContext({ resources })),
    );
    expect(await Promise.all(answers)).toEqual([ALLOWED, denied('old'), denied('../outside')]);
  });
});
