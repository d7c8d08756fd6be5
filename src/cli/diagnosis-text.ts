import type { Paint } from './colour.ts';
import type { Diagnosis } from './diagnosis.ts';
import { wrapToWidth } from './display-width.ts';
import { oneLine } from './printable.ts';

export interface DiagnosisTextOptions {
  readonly paint: Paint;
  readonly width: number;
}

const INDENT = '    ';

/** What is wrong with a server and what to do, as lines. */
export function renderDiagnosis(diagnosis: Diagnosis, options: DiagnosisTextOptions): readonly string[] {
  const { paint } = options;
  const { error, advice, quarantined, warnings, droppedMessages, restarts } = diagnosis;
  const wrap = (text: string, lead = '', style: (text: string) => string = asIs): readonly string[] =>
    wrapped(text, { ...options, lead, style });
  return [
    heading(diagnosis, paint),
    ...(error === undefined ? [] : wrap(error, '', paint.red)),
    ...quarantined.flatMap(({ tool, reason }) => wrap(`tool ${tool} is quarantined: ${reason}`, '', paint.yellow)),
    ...warnings.flatMap((warning) => wrap(warning, '', paint.yellow)),
    ...(droppedMessages === 0
      ? []
      : wrap(`${droppedMessages} unusable messages were dropped; logs belong on stderr, not on stdout`)),
    ...(restarts === 0 ? [] : wrap(`it was tried ${restarts + 1} times`)),
    ...stderrLines(diagnosis, options),
    ...advice.flatMap((each) => wrap(each, '→ ')),
  ];
}

function heading(diagnosis: Diagnosis, paint: Paint): string {
  const { name, phase, transport, tools, errorCode, isolation } = diagnosis;
  const offered = phase === 'connected' ? [`${tools} ${tools === 1 ? 'tool' : 'tools'}`] : [];
  const facts = [phase, transport, ...offered, ...(isolation === undefined ? [] : [isolation])];
  const code = errorCode === undefined || isUp(diagnosis) ? '' : ` ${paint.red(errorCode)}`;
  return `${markOf(diagnosis, paint)} ${paint.bold(name)} ${paint.dim(facts.join(', '))}${code}`;
}

function markOf(diagnosis: Diagnosis, paint: Paint): string {
  if (diagnosis.ok) return paint.green('✓');
  return isUp(diagnosis) ? paint.yellow('!') : paint.red('✗');
}

function isUp({ phase }: Diagnosis): boolean {
  return phase === 'connected' || phase === 'disabled';
}

/** A healthy server's chatter is nobody's concern. */
function stderrLines(
  { ok, stderr, phase, error = '' }: Diagnosis,
  { paint, width }: DiagnosisTextOptions,
): readonly string[] {
  const isTold = stderr.every((line) => error.includes(oneLine(line)));
  if (ok || phase === 'connected' || isTold) return [];
  const quoted = stderr.flatMap((line) => wrapToWidth(oneLine(line), width - INDENT.length - 2));
  return [`${INDENT}It last wrote to stderr:`, ...quoted.map((line) => `${INDENT}${paint.dim(`│ ${line}`)}`)];
}

interface WrapOptions extends DiagnosisTextOptions {
  readonly lead: string;
  readonly style: (text: string) => string;
}

function wrapped(text: string, { width, lead, style }: WrapOptions): readonly string[] {
  const lines = wrapToWidth(oneLine(text), width - INDENT.length - lead.length);
  return lines.map((line, index) => INDENT + style((index === 0 ? lead : ' '.repeat(lead.length)) + line));
}

function asIs(text: string): string {
  return text;
}
