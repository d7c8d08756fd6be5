import type { ApprovalRequest } from '../bridge/approval.ts';
import type { Scrubber } from '../redaction.ts';
import type { Paint } from './colour.ts';
import { oneLine } from './printable.ts';

export interface ApprovalTextOptions {
  readonly scrubber: Scrubber;
  readonly paint: Paint;
}

// More than this nobody reads; what is left out is counted.
const HEAD_CHARACTERS = 1600;
const TAIL_CHARACTERS = 400;

/** What someone must see before they allow a call: exactly what it would do, and why it is asked about. */
export function renderApproval(request: ApprovalRequest, { scrubber, paint }: ApprovalTextOptions): readonly string[] {
  const { server, tool, name, policy, reason } = request;
  const told = (text: string): string => oneLine(scrubber.scrub(text));
  const facts: readonly (readonly [string, string])[] = [
    ...(server === undefined ? [] : [['server', told(server)] as const]),
    ['tool', told(server === undefined ? name : tool)],
    ['arguments', argumentsText(request, scrubber)],
    ['reason', told(reason)],
    ['policy', told(policy)],
  ];
  return [
    paint.yellow('A policy asks about this call:'),
    ...facts.map(([title, text]) => factLine(title, text, paint)),
  ];
}

const TITLE_WIDTH = 'arguments'.length;

function factLine(title: string, text: string, paint: Paint): string {
  const indented = text.replaceAll('\n', `\n${' '.repeat(TITLE_WIDTH + 4)}`);
  return `  ${paint.dim(title.padEnd(TITLE_WIDTH))}  ${indented}`;
}

function argumentsText({ arguments: args }: ApprovalRequest, scrubber: Scrubber): string {
  const text = visible(JSON.stringify(scrubber.scrubValue(args), undefined, 2));
  const hidden = text.length - HEAD_CHARACTERS - TAIL_CHARACTERS;
  if (hidden <= 0) return text;
  return `${text.slice(0, HEAD_CHARACTERS)}\n[… ${hidden} characters are not shown …]\n${text.slice(-TAIL_CHARACTERS)}`;
}

/** What would be invisible, or move the text around, is written out: it is part of what is allowed. */
function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]|\p{Zl}|\p{Zp}/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  });
}
