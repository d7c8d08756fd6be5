import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { McpError } from '../../src/index.ts';
import { messageOf } from '../../src/errors.ts';
import { until } from '../fixtures/until.ts';
import { sightings } from './canaries.ts';
import { FaultBench } from './fault-bench.ts';
import type { BenchSettings } from './fault-bench.ts';
import { Holdings } from './holdings.ts';

/** One row of the fault matrix: what is broken, and what must come of it. */
export interface FaultDefinition {
  readonly row: number;
  readonly fault: string;
  readonly expected: string;
  /** The requirements that the row proves, in brackets. */
  readonly proves?: string;
  readonly bench?: BenchSettings;
  /** Why the row cannot be seen on this machine. */
  readonly skipped?: string | undefined;
}

/** What the report tells of a row. */
export interface FaultRecord extends Pick<FaultDefinition, 'row' | 'fault' | 'expected'> {
  readonly observed: string;
}

/** Breaks something and says what was seen; whatever is not as expected throws. */
export type BreakIt = (bench: FaultBench) => Promise<string>;

declare module 'vitest' {
  interface TaskMeta {
    fault?: FaultRecord;
  }
}

const PATIENCE_MS = 5_000;
const ROW_LIMIT_MS = 20_000;

/** Makes a test of one row, and hands what was observed to the report. */
export function faultRow(definition: FaultDefinition, breakIt: BreakIt): void {
  const { row, fault, expected, proves } = definition;
  const name = `${proves === undefined ? '' : `${proves} `}row ${row}, ${fault}: ${expected}`;
  const isSkipped = definition.skipped !== undefined;
  test.skipIf(isSkipped)(isSkipped ? `${name} (skipped: ${definition.skipped})` : name, async ({ task }) => {
    const tell = (observed: string): void => {
      task.meta.fault = { row, fault, expected, observed };
    };
    tell('the row did not end');
    try {
      tell(await runRow(definition.bench ?? {}, breakIt));
    } catch (error) {
      tell(messageOf(error));
      throw error;
    }
  });
}

/** Runs one row with everything that the matrix asks of every row. */
export async function runRow(
  settings: BenchSettings,
  breakIt: BreakIt,
  patienceMs: number = PATIENCE_MS,
): Promise<string> {
  using holdings = new Holdings();
  const bench = await FaultBench.open(settings);
  const observed = await endingInTime(observe(bench, breakIt)).finally(() => bench.close());
  await requireNothingLeft(holdings, bench.mark, patienceMs);
  requireTypedErrors(bench.errors);
  requireUnseen(bench);
  return observed;
}

async function observe(bench: FaultBench, breakIt: BreakIt): Promise<string> {
  await bench.bystanderAnswers();
  const asked = bench.timesBystanderAnswered;
  const observed = await breakIt(bench);
  if (bench.timesBystanderAnswered === asked) throw new Error('the row did not ask the bystander during the fault');
  await bench.bystanderAnswers();
  return observed;
}

/** A row that hangs must still close its hub, or the next ones find its processes. */
async function endingInTime<Value>(promise: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const tooLate = sleep(ROW_LIMIT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`the row did not end within ${ROW_LIMIT_MS} ms`);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    timer.abort();
    tooLate.catch(() => undefined);
    promise.catch(() => undefined);
  }
}

async function requireNothingLeft(holdings: Holdings, mark: string, limitMs: number): Promise<void> {
  const isClean = async (): Promise<boolean> => (await holdings.leftovers(mark)).descriptions.length === 0;
  await until(isClean, { describe: 'nothing is left', limitMs }).catch(() => undefined);
  const { processes, descriptions } = await holdings.leftovers(mark);
  if (descriptions.length === 0) return;
  // The next rows must not suffer for this one.
  for (const pid of processes) endProcess(pid);
  throw new Error(`left behind after the hub was closed: ${descriptions.join(', ')}`);
}

function requireTypedErrors(errors: readonly unknown[]): void {
  for (const error of errors) {
    if (!(error instanceof McpError))
      throw new Error(`an untyped error came out of the hub: ${String(error)}`, { cause: error });
    if (!error.serverName)
      throw new Error(`an error does not say which server it is about: ${error.message}`, { cause: error });
  }
}

function requireUnseen(bench: FaultBench): void {
  const { errors, events, statuses, reports, logger, eventLines, tracer } = bench;
  // A search that finds nothing proves something only if there was something to find.
  if (!statuses.some(({ stderr }) => stderr?.includes('FAULT_TOKEN=***')))
    throw new Error('no server told its secrets');
  if (eventLines.length === 0 || tracer.spans.length === 0) throw new Error('no event or no span was written down');
  const written = { logs: logger.lines, 'event log': eventLines, spans: tracer.spans };
  const places = sightings(bench.canaries, { ...written, errors, events, statuses, reports });
  if (places.length > 0) throw new Error(`a secret is seen in ${[...new Set(places)].join(', ')}`);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
