import { describe, expect, test } from 'vitest';
import { FAILURE, SUCCESS, callOf, onServer, policyContext, toolRef } from '../../test/fixtures/policy-context.ts';
import type { JsonObject, ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { Session } from '../session/session.ts';
import { ResultCachePolicy } from './result-cache-policy.ts';
import type { PolicyContext } from './tool-policy.ts';

const READ = toolRef('docs/search', { trust: 'trusted', annotations: { readOnlyHint: true } });
const WRITE = toolRef('docs/save', { trust: 'trusted', annotations: { readOnlyHint: false } });
const ANSWER: ToolResult = { ...SUCCESS, content: [{ type: 'text', text: 'found' }], structuredContent: { hits: 1 } };

/** Calls as the pipeline does; true when the answer was an earlier one. */
function run(policy: ResultCachePolicy, tool: ToolRef, fields: RunFields = {}): boolean {
  const call = callOf(tool, fields.args);
  const context = policyContext(fields);
  const recalled = policy.recall(call, context);
  if (!recalled) policy.onResult(call, fields.result ?? ANSWER, context);
  return recalled !== undefined;
}

interface RunFields extends Partial<PolicyContext> {
  readonly args?: JsonObject;
  readonly result?: ToolResult;
}

describe('[S2.cache] the same arguments to a read-only tool', () => {
  test('give the earlier answer until its time is over', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    const call = callOf(READ, { b: [1], a: { d: 1, c: 2 } });
    const before = policy.recall(call, policyContext());
    policy.onResult(call, ANSWER, policyContext());
    const again = callOf(READ, { a: { c: 2, d: 1 }, b: [1] });
    expect([
      before,
      policy.recall(again, policyContext({ now: 999 })),
      policy.recall(again, policyContext({ now: 1000 })),
      policy.recall(again, policyContext({ now: 999 })),
    ]).toEqual([undefined, ANSWER, undefined, undefined]);
  });

  test('give nothing from before a clock that was set back', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    expect([run(policy, READ, { now: 5000 }), run(policy, READ, { now: 4000 })]).toEqual([false, false]);
  });

  test('are forgotten with a change under any name of one definition', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    const definition = 'the same connection';
    expect(run(policy, READ, { definition })).toBe(false);
    expect(run(policy, READ, { definition })).toBe(true);
    run(policy, { ...WRITE, server: 'alias' }, { definition });
    expect(run(policy, READ, { definition })).toBe(false);
    expect(run(policy, READ, { definition: 'another one' })).toBe(false);
  });

  test('differ from other arguments, tools, servers and principals', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    const someoneElse = new Session({ principal: 'someone else' });
    expect([
      run(policy, READ, { args: { q: 'a' } }),
      run(policy, READ, { args: { q: 'b' } }),
      run(policy, { ...READ, tool: 'list' }, { args: { q: 'a' } }),
      run(policy, { ...READ, server: 'other' }, { args: { q: 'a' } }),
      run(policy, READ, { args: { q: 'a' }, session: someoneElse }),
      run(policy, READ, { args: { q: 'a' } }),
      run(policy, READ, { args: { q: 'a' }, session: someoneElse }),
    ]).toEqual([false, false, false, false, false, true, true]);
  });
});

describe('nothing is kept of', () => {
  const isKept = (tool: ToolRef, fields: RunFields = {}, policy = new ResultCachePolicy({ ttlMs: 1000 })) => {
    run(policy, tool, fields);
    return run(policy, tool, fields);
  };

  test.each<[string, ToolRef]>([
    ['a tool that is not read-only', WRITE],
    ['a tool that says nothing', toolRef('docs/x', { trust: 'trusted' })],
    ['a server that is not trusted', { ...READ, trust: 'untrusted' }],
    ['a native tool that is not read-only', toolRef('x')],
  ])('%s', (_, tool) => {
    expect(isKept(tool)).toBe(false);
  });

  test('a failure', () => {
    expect(isKept(READ, { result: FAILURE })).toBe(false);
  });

  test('tools that are not named, or that stand elsewhere', () => {
    const named = new ResultCachePolicy({ ttlMs: 1000, tools: ['docs/list'] });
    expect([isKept(READ, {}, named), isKept(READ, { scope: onServer('other') })]).toEqual([false, false]);
  });

  test('an answer that JSON cannot say', () => {
    expect(isKept(READ, { result: { ...ANSWER, structuredContent: 1n } })).toBe(false);
  });

  test('but of a native tool that is read-only', () => {
    expect(isKept(toolRef('x', { annotations: { readOnlyHint: true } }))).toBe(true);
  });
});

describe('a call that may change something', () => {
  test('makes the earlier answers of its server needless to keep, and no others', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    const other = { ...READ, server: 'other' };
    run(policy, READ);
    run(policy, other);
    policy.onResult(callOf(WRITE), SUCCESS, policyContext({ scope: onServer('elsewhere') }));
    expect([run(policy, READ), run(policy, other)]).toEqual([false, true]);
  });

  test('does so even if it fails, because it may have changed something', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    run(policy, READ);
    policy.recall(callOf(WRITE), policyContext());
    expect(run(policy, READ)).toBe(false);
  });

  test('outdates what was asked before it and answered after it', () => {
    const policy = new ResultCachePolicy({ ttlMs: 1000 });
    const slow = callOf(READ);
    policy.recall(slow, policyContext());
    run(policy, WRITE);
    policy.onResult(slow, ANSWER, policyContext());
    expect(run(policy, READ)).toBe(false);
  });
});

test('what one session does with an answer does not change it for another', () => {
  const policy = new ResultCachePolicy({ ttlMs: 1000 });
  run(policy, READ);
  Object.assign(policy.recall(callOf(READ), policyContext()) ?? {}, { structuredContent: { hits: 99 } });
  expect(policy.recall(callOf(READ), policyContext())).toEqual(ANSWER);
});

test('keeps so many answers and no more', () => {
  const policy = new ResultCachePolicy({ ttlMs: 1000, maxEntries: 2 });
  for (const q of [1, 2, 3]) run(policy, READ, { args: { q } });
  expect([3, 2].map((q) => run(policy, READ, { args: { q } }))).toEqual([true, true]);
  expect(run(policy, READ, { args: { q: 1 } })).toBe(false);
  const small = new ResultCachePolicy({ ttlMs: 1000, maxBytes: 10 });
  expect([run(small, READ), run(small, READ)]).toEqual([false, false]);
});

test.each([{ ttlMs: 0 }, { ttlMs: 1, maxEntries: -1 }, { ttlMs: 1, maxBytes: Number.NaN }])(
  '%j is refused',
  (options) => {
    expect(() => new ResultCachePolicy(options)).toThrow('must be positive');
  },
);
