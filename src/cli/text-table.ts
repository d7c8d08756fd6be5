import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

export interface Cell {
  readonly text: string;
  /** Applied after the text has been cut and padded. */
  readonly style?: (text: string) => string;
}

export interface TableOptions {
  /** No line is wider than this; Infinity for output that no terminal shows. */
  readonly width: number;
  readonly styleTitle?: (text: string) => string;
}

const GAP = '  ';
const MIN_WIDTH = 4;

/** Lines of aligned columns, the first of which are the titles. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  options: TableOptions,
): readonly string[] {
  const titles = columns.map(({ title }): Cell => ({
    text: title,
    ...(options.styleTitle && { style: options.styleTitle }),
  }));
  const all = [titles, ...rows];
  const widths = fit(
    columns.map((_, index) => widestIn(all, index)),
    options.width,
  );
  return all.map((cells) => renderRow(columns, cells, widths));
}

function renderRow(columns: readonly Column[], cells: readonly Cell[], widths: readonly number[]): string {
  const last = cells.findLastIndex(({ text }) => text !== '');
  const parts = cells.slice(0, last + 1).map(({ text, style = asIs }, index) => {
    const width = widths[index] ?? 0;
    const align = columns[index]?.align ?? 'left';
    const cut = cutToWidth(text, width);
    return style(index === last && align === 'left' ? cut : padToWidth(cut, width, align));
  });
  return parts.join(GAP);
}

function widestIn(rows: readonly (readonly Cell[])[], index: number): number {
  return Math.max(...rows.map((cells) => displayWidth(cells[index]?.text ?? '')));
}

/** Takes from the widest column until the line fits. */
function fit(wanted: readonly number[], width: number): readonly number[] {
  const widths = [...wanted];
  const gaps = GAP.length * (widths.length - 1);
  const total = (): number => widths.reduce((sum, each) => sum + each, gaps);
  while (total() > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const current = widths[widest] ?? 0;
    if (current <= MIN_WIDTH) break;
    widths[widest] = current - 1;
  }
  return widths;
}

function asIs(text: string): string {
  return text;
}
