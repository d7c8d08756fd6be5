import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/fixtures/manual-clock.ts';
import { callOf } from '../../test/fixtures/policy-context.ts';
import { NO_FLAGS } from '../../test/fixtures/no-flags.ts';
import { createApprovalRequest } from '../bridge/approval.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../bridge/approval.ts';
import { Scrubber } from '../redaction.ts';
import { approvalFor } from './call-approval.ts';
import { Output } from './output.ts';
import { TerminalBroker } from './terminal-approval.ts';

const clock = new ManualClock(5000);

interface Terminal {
  readonly input: PassThrough;
  readonly output: Output;
  written(): string;
}

function openTerminal(isTTY = true): Terminal {
  let written = '';
  const stderr = { isTTY, write: (text: string | Uint8Array) => (written += String(text)) };
  const output = new Output({ stdout: { write: () => undefined }, stderr, env: { NO_COLOR: '1' }, noColor: true });
  return { input: new PassThrough(), output, written: () => written };
}

function request(): ApprovalRequest {
  const asked = { policy: 'careful', reason: 'It may destroy something.' };
  return createApprovalRequest(callOf('files/delete', { path: 'a' }), asked, {
    principal: 'local',
    expiresAt: 125_000,
  });
}

const YES: ApprovalAnswer = { approved: true, by: 'terminal' };
const NO: ApprovalAnswer = { approved: false, by: 'terminal', reason: 'The call was refused at the terminal.' };

describe('the person at the terminal', () => {
  const ask = async (terminal: Terminal, signal = new AbortController().signal): Promise<ApprovalAnswer> =>
    new TerminalBroker({ ...terminal, clock, scrubber: new Scrubber() }).ask(request(), signal);

  test.for([
    ['y\n', YES],
    ['yes\n', YES],
    [' YES \r\n', YES],
    ['\n', NO],
    ['n\n', NO],
    ['yep\n', NO],
    ['y y\n', NO],
    ['no\ny\n', NO],
  ] as const)('answers %j', async ([typed, answer]) => {
    const terminal = openTerminal();
    terminal.input.write(typed);
    expect(await ask(terminal)).toEqual(answer);
  });

  test('sees the call and how long there is to answer', async () => {
    const terminal = openTerminal();
    terminal.input.write('y\n');
    await ask(terminal);
    expect(terminal.written()).toBe(`A policy asks about this call:
  server     files
  tool       delete
  arguments  {
               "path": "a"
             }
  reason     It may destroy something.
  policy     careful
Allow this call? [y/N] (2 m 00 s left) `);
  });

  test('who goes away has refused', async () => {
    const terminal = openTerminal();
    terminal.input.end();
    expect([await ask(terminal), terminal.written().endsWith('left) \n')]).toEqual([NO, true]);
  });

  test('a question that no longer matters is refused, and leaves the terminal alone', async () => {
    const terminal = openTerminal();
    const controller = new AbortController();
    const answer = ask(terminal, controller.signal);
    controller.abort();
    expect(await answer).toEqual(NO);
    terminal.input.write('y\n');
    expect([terminal.input.isPaused(), terminal.written().endsWith('left) \n')]).toEqual([true, true]);
  });
});

describe('who decides for a command', () => {
  const { signal } = new AbortController();
  const decide = async (terminal: Terminal, { isTTY, yes = false }: { isTTY: boolean; yes?: boolean }) => {
    const command = { flags: { ...NO_FLAGS, yes }, output: terminal.output, clock };
    return approvalFor(command, Object.assign(terminal.input, { isTTY }), new Scrubber()).ask(request(), signal);
  };
  const refused = {
    approved: false,
    reason: 'It may destroy something. There is no terminal to ask at, so the call was refused; --yes allows it.',
  };

  test('the person, where stdin and stderr are a terminal', async () => {
    const terminal = openTerminal();
    terminal.input.write('y\n');
    expect(await decide(terminal, { isTTY: true })).toEqual(YES);
  });

  test.for([
    ['stdin', { isTTY: false }, true],
    ['stderr', { isTTY: true }, false],
  ] as const)('nobody, where %s is no terminal', async ([, input, isSeen]) => {
    const terminal = openTerminal(isSeen);
    terminal.input.write('y\n');
    expect([await decide(terminal, input), terminal.written()]).toEqual([refused, '']);
  });

  test('nobody, where stdin has been read to its end', async () => {
    const terminal = openTerminal();
    terminal.input.end();
    for await (const _ of terminal.input) break;
    expect(await decide(terminal, { isTTY: true })).toEqual(refused);
  });

  test('--yes, and says so', async () => {
    const terminal = openTerminal(false);
    expect([await decide(terminal, { isTTY: false, yes: true }), terminal.written()]).toEqual([
      { approved: true, by: '--yes' },
      'allowed by --yes: It may destroy something.\n',
    ]);
  });
});
