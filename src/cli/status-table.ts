import type { ServerPhase, ServerStatus } from '../hub/server-status.ts';
import type { Paint } from './colour.ts';
import { cutToWidth, wrapToWidth } from './display-width.ts';
import { isolationText } from './isolation-text.ts';
import { oneLine } from './printable.ts';
import { renderTable } from './text-table.ts';
import type { Cell, Column } from './text-table.ts';
import { formatAge } from './time-text.ts';

export interface StatusTableOptions {
  readonly paint: Paint;
  readonly width: number;
  /** Draws marks, and errors below their row; else an error is the last column. */
  readonly isTerminal: boolean;
  /** Adds how long each server has been in its state. */
  readonly now?: number;
  /** The mark of servers that are being connected. */
  readonly spinner?: string;
}

interface Look {
  readonly mark: string;
  readonly style: keyof Paint;
}

const LOOKS: Readonly<Record<ServerPhase, Look>> = {
  connected: { mark: '●', style: 'green' },
  connecting: { mark: '◌', style: 'yellow' },
  reconnecting: { mark: '◌', style: 'yellow' },
  'needs-auth': { mark: '▲', style: 'yellow' },
  failed: { mark: '✗', style: 'red' },
  idle: { mark: '○', style: 'dim' },
  disconnected: { mark: '○', style: 'dim' },
  disabled: { mark: '○', style: 'dim' },
};

const NONE = '–';
const INDENT = '    ';
const MAX_ERROR_LINES = 3;

/** One row for each server. */
export function renderStatusTable(statuses: readonly ServerStatus[], options: StatusTableOptions): readonly string[] {
  const hasIsolation = statuses.some(({ isolation }) => isolation !== 'off');
  const columns = columnsOf(options, hasIsolation);
  const rows = statuses.map((status) => rowOf(status, options, hasIsolation));
  const [titles = '', ...lines] = renderTable(columns, rows, { width: options.width, styleTitle: options.paint.dim });
  const body = lines.flatMap((line, index) => [line, ...errorLines(statuses[index], options)]);
  return [titles, ...body];
}

function columnsOf({ isTerminal, now }: StatusTableOptions, hasIsolation: boolean): readonly Column[] {
  return [
    { title: isTerminal ? '  SERVER' : 'SERVER' },
    { title: 'STATE' },
    { title: 'TRANSPORT' },
    ...(hasIsolation ? [{ title: 'ISOLATION' }] : []),
    ...(now === undefined ? [{ title: 'PROTOCOL' }] : []),
    { title: 'TOOLS', align: 'right' },
    { title: 'PID', align: 'right' },
    ...(now === undefined ? [] : [{ title: 'TIME', align: 'right' } as const]),
    ...(isTerminal ? [] : [{ title: 'ERROR' }]),
  ];
}

function rowOf(status: ServerStatus, options: StatusTableOptions, hasIsolation: boolean): readonly Cell[] {
  const { paint, isTerminal, now, spinner } = options;
  const { mark, style } = LOOKS[status.phase];
  const isMoving = status.phase === 'connecting' || status.phase === 'reconnecting';
  const shownMark = isMoving ? (spinner ?? mark) : mark;
  const offered = status.tools.filter(({ quarantined }) => quarantined === undefined).length;
  return [
    isTerminal
      ? { text: `${shownMark} ${status.name}`, style: (text) => paint[style](text.slice(0, 1)) + text.slice(1) }
      : { text: status.name },
    { text: status.phase, style: paint[style] },
    { text: status.transport },
    ...(hasIsolation ? [isolationCell(status, paint)] : []),
    ...(now === undefined ? [{ text: status.protocolVersion ?? NONE }] : []),
    { text: status.phase === 'connected' ? String(offered) : NONE },
    { text: String(status.pid ?? NONE) },
    ...(now === undefined ? [] : [{ text: formatAge(now - status.since) }]),
    ...(isTerminal ? [] : [{ text: oneLine(status.error ?? '') }]),
  ];
}

function isolationCell(status: ServerStatus, paint: Paint): Cell {
  const text = isolationText(status);
  return { text, ...(status.confinement?.missing !== undefined && { style: paint.red }) };
}

function errorLines(
  status: ServerStatus | undefined,
  { isTerminal, width, paint }: StatusTableOptions,
): readonly string[] {
  if (!isTerminal || status?.error === undefined) return [];
  const room = width - INDENT.length;
  const lines = wrapToWidth(oneLine(status.error), room);
  const last = cutToWidth(lines.slice(MAX_ERROR_LINES - 1).join(' '), room);
  const shown = [...lines.slice(0, MAX_ERROR_LINES - 1), ...(last === '' ? [] : [last])];
  return shown.map((line) => INDENT + paint.red(line));
}
