import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { FaultRecord } from './fault-row.ts';

type Cells = readonly string[];

const HEADINGS: Cells = ['row', 'fault', 'expected', 'observed', 'result'];
const WIDTHS = [3, 24, 40, 56, 6];
const GAP = '  ';

/** Prints the fault matrix as it was seen: every row with what was expected and what was observed. */
export class FaultReport implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state !== 'skipped') process.stderr.write(state === 'passed' ? '.' : 'F');
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.result().state !== 'skipped');
    const rows = tests.map(toRow).toSorted((left, right) => left.row - right.row);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const broken = [
      ...unhandled.map(({ message }) => message),
      ...modules.flatMap((module) => module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`)),
    ];
    const failed = tests.length - passed + broken.length;
    const lines = [
      renderCells(HEADINGS),
      WIDTHS.map((width) => '-'.repeat(width)).join(GAP),
      ...rows.map(({ cells }) => renderCells(cells)),
      ...broken.map((message) => `FAIL  ${message}`),
      ...skippedRows(modules).map((name) => `SKIP  ${name}`),
      '',
      `${passed} passed, ${failed} failed`,
    ];
    process.stderr.write('\n');
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

/** The rows that this machine cannot show, with the reason; others may be skipped because nobody asked for them. */
function skippedRows(modules: readonly TestModule[]): readonly string[] {
  return modules
    .flatMap((module) => [...module.children.allTests('skipped')])
    .map(({ name }) => name)
    .filter((name) => name.includes('(skipped: '));
}

function toRow(test: TestCase): { readonly row: number; readonly cells: Cells } {
  const verdict = test.result().state === 'passed' ? 'pass' : 'FAIL';
  const record: FaultRecord = test.meta().fault ?? {
    row: Number.MAX_SAFE_INTEGER,
    fault: test.name,
    expected: '',
    observed: test.result().errors?.[0]?.message ?? '',
  };
  const label = test.meta().fault ? String(record.row) : '-';
  return { row: record.row, cells: [label, record.fault, record.expected, record.observed, verdict] };
}

function renderCells(cells: Cells): string {
  const columns = cells.map((cell, index) => wrap(cell, WIDTHS[index] ?? 0));
  const height = Math.max(...columns.map((column) => column.length));
  const lines = Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => (column[line] ?? '').padEnd(WIDTHS[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Breaks a text between words, and a word that is too long wherever it must. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((each) => pieces(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width) lines.push(line);
    line = longer.length > width ? word : longer;
  }
  return [...lines, line];
}

function pieces(word: string, width: number): readonly string[] {
  const count = Math.max(1, Math.ceil(word.length / width));
  return Array.from({ length: count }, (_, index) => word.slice(index * width, (index + 1) * width));
}
