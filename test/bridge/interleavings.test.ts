import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bindInstance,
  Caller,
  defineSlice,
  defineTool,
  Filesystem,
  Hub,
  MemoryFilesystem,
  ResourceContainer,
  ResourceRegistry,
  Session,
} from '../../src/index.ts';
import type { NativeTool, SessionScope, SliceOfAnything, ToolContext } from '../../src/index.ts';
import { ManualClock, settle } from '../fixtures/manual-clock.ts';

/** What a call does, one step after the other, each when its turn comes. */
type Step =
  | { readonly kind: 'append' | 'upsert' | 'count'; readonly value: number }
  | { readonly kind: 'clear' }
  | { readonly kind: 'write' | 'delete'; readonly file: number }
  | { readonly kind: 'call'; readonly call: Work };

/** A call: what it does and how it ends. */
interface Work {
  readonly steps: readonly Step[];
  readonly end: 'return' | 'throw' | 'error' | 'time out' | 'give up';
}

interface Counted {
  readonly type: 'counted';
  readonly value: number;
}

const Words = defineSlice<number>({ name: 'words' });
const Latest = defineSlice<{ readonly key: number; readonly value: number }>({ name: 'latest' });
const Total = defineSlice<number>({
  name: 'total',
  initial: [0],
  reducers: { counted: ([total = 0], { value }: Counted) => ({ kind: 'replace', items: [total + value] }) },
});
const Journal = defineSlice<number>({
  name: 'journal',
  kind: 'log',
  reducers: { counted: (_, { value }: Counted) => ({ kind: 'append', item: value }) },
});
const SLICES: readonly SliceOfAnything[] = [Words, Latest, Total, Journal];
const TIMEOUT_MS = 1_000;
const AT_FIRST: Readonly<Record<string, string>> = { 'a.txt': 'at first' };
const FILES = ['a.txt', 'b.txt', 'folder/c.txt'];

const endings = fc.constantFrom<Work['end'][]>('return', 'return', 'return', 'throw', 'error', 'time out', 'give up');
const simpleSteps = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ kind: fc.constantFrom('append', 'upsert', 'count'), value: fc.nat(9) }),
  fc.record({ kind: fc.constant('clear') }),
  fc.record({ kind: fc.constantFrom('write', 'delete'), file: fc.nat(FILES.length - 1) }),
);
const works = fc.letrec<{ work: Work; step: Step }>((tie) => ({
  work: fc.record({ steps: fc.array(tie('step'), { maxLength: 5 }), end: endings }),
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 2 },
    { weight: 4, arbitrary: simpleSteps },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('call'), call: tie('work') }) },
  ),
}));

test('[S1.parallel] [S1.transaction] however calls interleave, only what was committed is there, in the order of the commits', async () => {
  await using hub = new Hub();
  const scenario = fc.record({
    calls: fc.array(works.work, { minLength: 1, maxLength: 5 }),
    turns: fc.array(fc.nat(99)),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ calls, turns }) => {
      const stage = new Stage(hub, turns);
      const outcomes = await stage.play(calls);
      expect(outcomes).toEqual(calls.map(({ end }) => OUTCOMES[end]));
      expect(await stage.found()).toEqual(stage.expected());
    }),
    { numRuns: 150 },
  );
});

const OUTCOMES: Readonly<Record<Work['end'], string>> = {
  return: 'ok',
  throw: 'tool-error',
  error: 'tool-error',
  'time out': 'timeout',
  'give up': 'cancelled',
};

/** Something a call did, which counts if all calls around it were committed. */
interface Deed {
  readonly call: Running;
  readonly apply: (session: SessionScope) => void;
  readonly file?: { readonly path: string; readonly text: string | undefined };
}

interface Ran {
  readonly type: 'ran';
  readonly index: number;
}

interface Prepared {
  readonly work: Work;
  readonly outer: Running | undefined;
  readonly signal: AbortController;
}

interface Running {
  readonly outer: Running | undefined;
  /** What this call did, calls inside it at the place of their commit. */
  readonly deeds: Deed[];
  isCommitted: boolean;
}

/** Runs calls of one session step by step, in an order that is given. */
class Stage {
  readonly #clock = new ManualClock();
  readonly #session = new Session({ slices: SLICES });
  readonly #files = new MemoryFilesystem(AT_FIRST);
  readonly #caller: Caller;
  readonly #turns: readonly number[];
  readonly #waiting: (() => void)[] = [];
  readonly #works: Prepared[] = [];
  readonly #runs = new Map<number, Running>();
  readonly #committed: Running[] = [];
  readonly #writes: Deed[] = [];
  readonly #counted: number[] = [];

  constructor(hub: Hub, turns: readonly number[]) {
    this.#turns = turns;
    const registry = ResourceRegistry.of(bindInstance(Filesystem, this.#files));
    this.#caller = new Caller({
      hub,
      session: this.#session,
      clock: this.#clock,
      resources: new ResourceContainer(registry),
      tools: [this.#tool('patient', 1_000_000), this.#tool('hasty', TIMEOUT_MS)],
    });
    this.#session.dispatcher.subscribe<Ran>('ran', (event) => this.#commit(event));
  }

  /** Starts all calls and lets them take turns until they have ended. */
  async play(calls: readonly Work[]): Promise<readonly string[]> {
    let left = calls.length;
    const ends = calls.map(async (work) => {
      const { name, args, signal } = this.#prepare(work, undefined);
      const { outcome } = await this.#caller.call(name, args, { signal });
      left -= 1;
      return outcome;
    });
    for (let turn = 0; left > 0; turn += 1) {
      await settle();
      const index = (this.#turns[turn % (this.#turns.length || 1)] ?? 0) % (this.#waiting.length || 1);
      const [next] = this.#waiting.splice(index, 1);
      // Whoever is left waits for time to pass.
      if (next) next();
      else if (left > 0) await this.#clock.advance(TIMEOUT_MS);
    }
    return Promise.all(ends);
  }

  async found(): Promise<unknown> {
    const files = await Promise.all(
      FILES.map(async (path) => ((await this.#files.exists(path)) ? this.#files.readText(path) : undefined)),
    );
    return { slices: this.#session.snapshot({ withLogs: true }).slices, files };
  }

  /** A session that ran the committed calls alone; logs and files are told of everything as it happens. */
  expected(): unknown {
    const session = new Session({ slices: SLICES });
    for (const { deeds } of this.#committed) for (const { apply } of deeds) apply(session);
    session.slice(Journal).replace(this.#counted);
    const files = FILES.map((path) => {
      const writes = this.#writes.filter(({ file, call }) => file?.path === path && isKept(call));
      return writes.length > 0 ? writes.at(-1)?.file?.text : AT_FIRST[path];
    });
    return { slices: session.snapshot({ withLogs: true }).slices, files };
  }

  #prepare(work: Work, outer: Running | undefined): { name: string; args: { index: number }; signal: AbortSignal } {
    const signal = new AbortController();
    this.#works.push({ work, outer, signal });
    const name = work.end === 'time out' ? 'hasty' : 'patient';
    return { name, args: { index: this.#works.length - 1 }, signal: signal.signal };
  }

  #tool(name: string, timeoutMs: number): NativeTool {
    return defineTool({
      name,
      description: 'Does what it is told.',
      params: { type: 'object' },
      timeoutMs,
      handler: async ({ index }, context) => this.#run(index as number, context),
    });
  }

  /** Listeners hear of what a call dispatched when it is committed. */
  #commit({ index }: Ran): void {
    const call = this.#runs.get(index);
    if (!call) return;
    call.isCommitted = true;
    if (!call.outer) this.#committed.push(call);
  }

  async #run(index: number, context: ToolContext): Promise<{ isError: boolean }> {
    const { work, outer, signal } = this.#works[index] as Prepared;
    const call: Running = { outer, deeds: [], isCommitted: false };
    this.#runs.set(index, call);
    context.session.dispatch({ type: 'ran', index } as Ran);
    for (const step of work.steps) {
      await this.#turn();
      await this.#do(step, call, context);
    }
    await this.#turn();
    if (work.end === 'throw') throw new Error('thrown on purpose');
    if (work.end === 'give up') signal.abort();
    if (work.end === 'time out' || work.end === 'give up') await new Promise(() => undefined);
    return { isError: work.end === 'error' };
  }

  async #do(step: Step, call: Running, context: ToolContext): Promise<void> {
    if ('call' in step) {
      const { name, args, signal } = this.#prepare(step.call, call);
      const { outcome } = await context.call(name, args, { signal });
      expect(outcome).toBe(OUTCOMES[step.call.end]);
      if (outcome === 'ok') call.deeds.push(...(this.#runs.get(args.index)?.deeds ?? []));
    } else if ('file' in step) {
      const files = context.resources.get(Filesystem);
      const path = FILES[step.file] ?? '';
      const text = step.kind === 'write' ? `write ${this.#writes.length}` : undefined;
      const didIt = text === undefined ? await files?.delete(path) : (await files?.writeText(path, text), true);
      if (didIt) this.#writes.push({ call, apply: () => undefined, file: { path, text } });
    } else {
      const apply = deedOf(step);
      apply(context.session);
      call.deeds.push({ call, apply });
      if (step.kind === 'count') this.#counted.push(step.value);
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

function deedOf(step: Exclude<Step, { file: number } | { call: Work }>): (session: SessionScope) => void {
  if (step.kind === 'clear') return (session) => session.slice(Words).clear();
  const { kind, value } = step;
  if (kind === 'append') return (session) => session.slice(Words).append(value);
  if (kind === 'count') return (session) => session.dispatch({ type: 'counted', value } as Counted);
  const key = value % 3;
  return (session) => session.slice(Latest).upsert({ key, value }, (item) => item.key === key);
}

function isKept(call: Running): boolean {
  return call.isCommitted && (call.outer === undefined || isKept(call.outer));
}
