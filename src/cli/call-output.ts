import type { CallReport } from '../bridge/call-report.ts';
import type { LocalHub } from '../hub/local-hub.ts';
import type { Command } from './command.ts';
import { contentText } from './content-text.ts';
import { printable } from './printable.ts';

/** Prints how a call ended: its content on stdout, or why it failed on stderr. */
export function printReport({ flags, output }: Command, hub: LocalHub, report: CallReport): void {
  const { success, outcome, structuredContent, durationMs, callId } = report;
  const message = hub.scrubber.scrub(report.message);
  // A result is the tool's own data; why there is none is told like any other error.
  const content = success ? report.content : hub.scrubber.scrubValue(report.content);
  const structured = structuredContent !== undefined && { structuredContent };
  if (flags.json) {
    output.json({ success, outcome, message, content, ...structured, durationMs: Math.round(durationMs), callId });
    return;
  }
  if (!success) {
    output.note(`${output.paintNote.red(outcome)}: ${printable(message)}`);
    return;
  }
  const texts = content.map(contentText);
  // Some servers put everything into the structured part.
  if (texts.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent, undefined, 2));
  if (texts.length === 0) output.note('The tool returned nothing.');
  for (const text of texts) output.foreign(text.endsWith('\n') ? text : `${text}\n`);
}
