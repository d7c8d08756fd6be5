import type { LoggedEvent } from '../session/event-parser.ts';
import type { Paint, Style } from './colour.ts';
import { cutToWidth } from './display-width.ts';
import { oneLine } from './printable.ts';
import { formatElapsed } from './time-text.ts';

export interface EventTextOptions {
  readonly paint: Paint;
  readonly width: number;
}

/** Puts events of a log into lines: when, what, of which server or tool, and how it ended. */
export class EventText {
  readonly #options: EventTextOptions;
  /** An answer names only its question. */
  readonly #questions = new Map<string, string>();

  constructor(options: EventTextOptions) {
    this.#options = options;
  }

  render(event: LoggedEvent): string {
    const { paint, width } = this.#options;
    const { style, text } = detailOf(event);
    const time = timeText(event['at']);
    const type = oneLine(event.type);
    const subject = oneLine(this.#subject(event));
    const before = [time.padEnd(TIME_WIDTH), type.padEnd(TYPE_WIDTH), ...(subject === '' ? [] : [subject])].join('  ');
    // Only what comes last may be cut: everything before it is what one looks for.
    const rest = cutToWidth(oneLine(text), Math.max(MIN_DETAIL, width - before.length - 2));
    const start = `${paint.dim(time.padEnd(TIME_WIDTH))}  ${before.slice(TIME_WIDTH + 2)}`;
    return (rest === '' ? start : `${start}  ${style ? paint[style](rest) : rest}`).trimEnd();
  }

  #subject(event: LoggedEvent): string {
    const id = textOf(event['approvalId']);
    if (event.type === 'approval-asked') this.#questions.set(id, textOf(event['name']));
    if (event.type === 'approval-decided') {
      const asked = this.#questions.get(id);
      this.#questions.delete(id);
      return asked ?? '';
    }
    const [server, tool, name] = [textOf(event['server']), textOf(event['tool']), textOf(event['name'])];
    return name === '' ? [server, tool].filter(Boolean).join('/') : name;
  }
}

const TIME_WIDTH = '2000-01-01T00:00:00.000Z'.length;
const TYPE_WIDTH = 'server-disconnected'.length;
const MIN_DETAIL = 20;

interface Detail {
  readonly text: string;
  readonly style?: Style;
}

function detailOf(event: LoggedEvent): Detail {
  switch (event.type) {
    case 'tool-invoked':
      return invokedDetail(event);
    case 'approval-asked':
      return { text: textOf(event['reason']), style: 'yellow' };
    case 'approval-decided':
      return decidedDetail(event);
    case 'server-connected':
      return { text: counted(event['tools'], 'tool'), style: 'green' };
    case 'server-failed':
      return { text: joined(': ', event['code'], event['error']), style: 'red' };
    case 'server-disconnected':
      return { text: textOf(event['error']), style: 'red' };
    case 'server-changed':
      return {
        text: event['change'] === 'phase' ? textOf(event['phase']) : joined(', ', event['change'], event['phase']),
      };
    case 'tools-changed':
      return { text: changesOf(event) };
    case 'tool-quarantined':
      return { text: textOf(event['reason']), style: 'yellow' };
    case 'sandbox-denied':
      return { text: joined(': ', event['target'], event['reason']), style: 'yellow' };
    case 'events-dropped':
      return { text: `${counted(event['count'], 'event')} could not be written`, style: 'red' };
    default:
      return { text: '' };
  }
}

function invokedDetail(event: LoggedEvent): Detail {
  const outcome = textOf(event['outcome']);
  const duration = typeof event['durationMs'] === 'number' ? durationText(event['durationMs']) : '';
  const result = (event['result'] ?? {}) as { readonly message?: unknown };
  const cached = event['isCached'] === true ? 'from the cache' : '';
  if (outcome === 'ok') return { text: joined(', ', outcome, duration, cached), style: 'green' };
  return { text: joined(': ', joined(', ', outcome, duration), result.message), style: 'red' };
}

function decidedDetail(event: LoggedEvent): Detail {
  const decision = textOf(event['decision']);
  const by = textOf(event['by']);
  const text = joined(': ', by === '' ? decision : `${decision} by ${by}`, event['reason']);
  return { text, style: decision === 'approved' ? 'green' : 'red' };
}

function changesOf(event: LoggedEvent): string {
  const kinds = ['added', 'removed', 'changed'].flatMap((kind) => {
    const names: unknown = event[kind];
    return Array.isArray(names) && names.length > 0 ? [`${kind} ${names.map(textOf).join(', ')}`] : [];
  });
  return kinds.join('; ');
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : formatElapsed(ms);
}

function timeText(at: unknown): string {
  const time = new Date(typeof at === 'number' ? at : Number.NaN);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

function counted(count: unknown, word: string): string {
  return typeof count === 'number' ? `${count} ${word}${count === 1 ? '' : 's'}` : '';
}

function joined(between: string, ...parts: readonly unknown[]): string {
  return parts
    .map(textOf)
    .filter((part) => part !== '')
    .join(between);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
