import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TEMPLATE, callOf, onServer, policyContext } from '../../test/fixtures/policy-context.ts';
import { admission } from './admission.ts';
import { decide } from './decide.ts';
import { ALLOW, ask, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import { stricterOf } from './effect.ts';
import type { Effect } from './effect.ts';
import type { BoundPolicy, ToolPolicy } from './tool-policy.ts';

const CALL = callOf('git/commit');
const everywhere = (policy: ToolPolicy): BoundPolicy => ({ policy, scope: TEMPLATE });
const saying = (name: string, answer: Decision | Promise<Decision>): BoundPolicy =>
  everywhere({ name, check: () => answer });
const decideOn = (...policies: readonly BoundPolicy[]) => decide(policies, CALL, policyContext());

describe('a decision', () => {
  test('is allow where no policy speaks', () => {
    expect(decideOn(everywhere({ name: 'silent' }))).toEqual({ kind: 'allow' });
  });

  test('is the first denial, verbatim, and nobody is asked after it', () => {
    const asked: string[] = [];
    const later = everywhere({ name: 'later', check: () => (asked.push('later'), ALLOW) });
    const decision = decideOn(saying('a', ask('?')), saying('b', deny('No!')), later);
    expect([decision, asked]).toEqual([{ kind: 'deny', reason: 'No!', policy: 'b' }, []]);
  });

  test('names the policy that asks, and all of them if there are several', () => {
    expect(decideOn(saying('a', ALLOW), saying('b', ask('sure?')))).toEqual({
      kind: 'ask',
      reason: 'sure?',
      policy: 'b',
    });
    expect(decideOn(saying('a', ask('one?')), saying('b', ask('two?')))).toEqual({
      kind: 'ask',
      reason: 'one?; two?',
      policy: 'a, b',
    });
  });

  test('is the same question once if a policy asks about the tool and the call alike', () => {
    const policy = everywhere({ name: 'a', admit: () => ask('sure?'), check: () => ask('sure?') });
    expect(decideOn(policy)).toEqual({ kind: 'ask', reason: 'sure?', policy: 'a' });
  });

  test('is there at once unless a policy needs time', async () => {
    expect(decideOn(saying('a', ALLOW), saying('b', ALLOW))).not.toBeInstanceOf(Promise);
    const later = decideOn(saying('a', ask('?')), saying('b', Promise.resolve(ALLOW)), saying('c', ALLOW));
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toEqual({ kind: 'ask', reason: '?', policy: 'a' });
  });

  test('of a policy elsewhere does not count', () => {
    const no: ToolPolicy = { name: 'no', admit: () => deny('a'), check: () => deny('b') };
    const elsewhere: readonly BoundPolicy[] = [
      { policy: no, scope: onServer('files') },
      { policy: no, scope: { kind: 'section', section: 's', covers: () => false } },
      { policy: no, scope: { kind: 'tool', name: 'commit' } },
    ];
    expect(decideOn(...elsewhere)).toEqual({ kind: 'allow' });
  });

  test('on a tool that is not admitted checks nothing', () => {
    const asked: string[] = [];
    const policies = [
      everywhere({ name: 'a', check: () => (asked.push('a'), ALLOW) }),
      everywhere({ name: 'b', admit: () => deny('not this one') }),
    ];
    const expected = { kind: 'deny', reason: 'not this one', policy: 'b' };
    expect([decideOn(...policies), admission(policies, CALL.tool), asked]).toEqual([expected, expected, []]);
  });

  test('tells each policy where it stands', () => {
    const scopes: unknown[] = [];
    const policy: ToolPolicy = {
      name: 'a',
      admit: (_, scope) => (scopes.push(scope), ALLOW),
      check: (_, { scope }) => (scopes.push(scope), ALLOW),
    };
    void decideOn({ policy, scope: onServer('git') });
    expect(scopes).toEqual([onServer('git'), onServer('git')]);
  });
});

describe('a policy that fails refuses', () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  const denial = { kind: 'deny', reason: "Refused because the policy 'a' failed: broken", policy: 'a' };

  test.each<[string, BoundPolicy]>([
    ['by throwing in admit', everywhere({ name: 'a', admit: fail })],
    ['by throwing in check', everywhere({ name: 'a', check: fail })],
    ['by a promise', everywhere({ name: 'a', check: async () => fail() })],
    [
      'in its section',
      { policy: { name: 'a', check: () => ALLOW }, scope: { kind: 'section', section: 's', covers: fail } },
    ],
  ])('%s', async (_, policy) => {
    expect(await decideOn(policy)).toEqual(denial);
  });

  test.each([undefined, null, true, {}, { kind: 'yes' }])('with the answer %j', async (answer) => {
    const later = saying('a', Promise.resolve(answer as never));
    const decisions = [await decideOn(saying('a', answer as never)), await decideOn(later)];
    expect(decisions.map(({ kind }) => kind)).toEqual(['deny', 'deny']);
  });

  test('by never answering, when the call is ended', async () => {
    const ended = new AbortController();
    const silent = saying('a', new Promise(() => undefined));
    const decision = decide([silent], CALL, policyContext({ signal: ended.signal }));
    ended.abort();
    const reason = "Refused because the policy 'a' failed: it gave no answer before the call was ended";
    const expected = { kind: 'deny', reason, policy: 'a' };
    expect(await decision).toEqual(expected);
    expect(await decide([silent], CALL, policyContext({ signal: ended.signal }))).toEqual(expected);
  });

  test('and a failure after the call was ended is nobody’s', async () => {
    const ended = new AbortController();
    let failLate: (error: Error) => void = () => undefined;
    const slow = saying('a', new Promise((_, reject) => (failLate = reject)));
    const decision = decide([slow], CALL, policyContext({ signal: ended.signal }));
    ended.abort();
    failLate(new Error('late'));
    expect((await decision).kind).toBe('deny');
  });
});

describe('policies together', () => {
  const effect = fc.constantFrom<Effect>('allow', 'ask', 'deny');
  const part = fc.record({
    admit: fc.option(effect, { nil: undefined }),
    check: fc.option(effect, { nil: undefined }),
    manner: fc.constantFrom('sync', 'async', 'broken'),
  });
  type Part = typeof part extends fc.Arbitrary<infer Value> ? Value : never;

  const decisionOf = (kind: Effect): Decision => (kind === 'allow' ? ALLOW : { kind, reason: kind });
  const policyOf = ({ admit, check, manner }: Part): BoundPolicy =>
    everywhere({
      name: 'p',
      ...(admit && { admit: () => decisionOf(admit) }),
      ...(check && {
        check: () => {
          if (manner === 'broken') throw new Error('broken');
          return manner === 'async' ? Promise.resolve(decisionOf(check)) : decisionOf(check);
        },
      }),
    });
  const kindOf = async (parts: readonly Part[]): Promise<Effect> => (await decideOn(...parts.map(policyOf))).kind;
  const meant = ({ admit = 'allow', check, manner }: Part): Effect =>
    stricterOf(admit, check && manner === 'broken' ? 'deny' : (check ?? 'allow'));

  test('give the strictest of what each says, in any order', async () => {
    const parts = fc.array(part, { maxLength: 5 });
    const shuffled = parts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([all, other]) => {
        const strictest = all.map(meant).reduce(stricterOf, 'allow');
        expect([await kindOf(all), await kindOf(other)]).toEqual([strictest, strictest]);
      }),
    );
  });

  test('never allow more when one is added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), part, fc.nat(4), async (parts, added, place) => {
        const before = await kindOf(parts);
        const after = await kindOf(parts.toSpliced(place, 0, added));
        expect(stricterOf(before, after)).toBe(after);
      }),
    );
  });
});

test.each<readonly [unknown, string]>([
  [undefined, 'its answer is neither allow, ask nor deny'],
  ['allow', 'its answer is neither allow, ask nor deny'],
  [{ kind: 'maybe' }, 'its answer is neither allow, ask nor deny'],
  [{ kind: 'deny' }, 'it gives no reason'],
  [{ kind: 'ask', reason: 5 }, 'it gives no reason'],
])('an answer that is none is a denial that says so: %j', async (answer, why) => {
  for (const given of [answer, Promise.resolve(answer)]) {
    const odd: ToolPolicy = { name: 'odd', check: () => given as Decision };
    const ruling = await decide([{ policy: odd, scope: TEMPLATE }], callOf('tool'), policyContext());
    expect(ruling).toEqual({ kind: 'deny', policy: 'odd', reason: `Refused because the policy 'odd' failed: ${why}` });
  }
});
