import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import type { ApprovalBroker } from '../bridge/approval.ts';
import { Caller } from '../bridge/caller.ts';
import type { CallReport } from '../bridge/call-report.ts';
import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { messageOf } from '../errors.ts';
import { Session } from '../session/session.ts';
import { approvalFor } from './call-approval.ts';
import { parseAssignment, parseAssignments, parseJsonArguments, toArguments } from './call-arguments.ts';
import { printReport } from './call-output.ts';
import type { Command } from './command.ts';
import { findTarget } from './call-target.ts';
import type { CallTarget } from './call-target.ts';
import { withHub } from './hub-session.ts';
import type { HubSession } from './hub-session.ts';
import { ProgressLine } from './progress-line.ts';
import { refusalBy } from './refused-tools.ts';
import { unreachedCall } from './unreached-call.ts';
import { UsageError } from './usage-error.ts';

/** `fairlead call`: one call through the pipeline, connecting to nothing but the tool's server. */
export function runCall(command: Command): Promise<number> {
  const { address, words } = splitWords(command.positionals);
  if (command.flags.args !== undefined && words.length > 0) {
    throw new UsageError('give either --args or key=value, not both', 'call');
  }
  const assignments = parseAssignments(words, 'call');
  return withHub(command, async (session) => {
    const given = await jsonArguments(command);
    const { report, hint } = await callOnce(command, session, {
      address,
      argumentsFor: (inputSchema) => given ?? toArguments(assignments, inputSchema),
    });
    printReport(command, session.hub, report);
    if (hint !== undefined && !report.success) command.output.note(hint);
    return report.success ? 0 : 1;
  });
}

interface Call {
  readonly address: readonly string[];
  /** What a value means may depend on the schema of the tool that takes it. */
  readonly argumentsFor: (inputSchema: JsonObject | undefined) => JsonObject;
}

async function callOnce(
  command: Command,
  { hub, setup, recorder }: HubSession,
  { address, argumentsFor }: Call,
): Promise<{ report: CallReport; hint?: string }> {
  const { clock, output, interruption, flags } = command;
  const { signal } = interruption;
  const { policies } = setup;
  const startedAt = clock.monotonic();
  const session = new Session({ clock });
  recorder?.follow(session);
  using progress = new ProgressLine(output, clock, () => `connecting ${address[0]}`);
  let target: CallTarget;
  try {
    target = await findTarget(hub, { address, signal, isRefused: refusalBy(policies, hub) });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const call = { address, arguments: argumentsFor(undefined), startedAt };
    return { report: unreachedCall(error, call, { hub, session, clock }) };
  }
  const args = argumentsFor(target.spec?.inputSchema);
  const title = address.join('/');
  progress.say(`calling ${title}`);
  const broker = approvalFor(command, process.stdin, hub.scrubber);
  const approval: ApprovalBroker = { ask: (asked, over) => progress.aside(() => broker.ask(asked, over)) };
  // Whoever types a command gets all of its result.
  const settings = { ...policies, adapter: 'cli', resultCharacters: Number.POSITIVE_INFINITY };
  const report = await new Caller({ hub, session, clock, approval, ...settings }).call(target.tool, args, {
    signal,
    onProgress: (reported) => {
      progress.say(hub.scrubber.scrub(`calling ${title} ${progressText(reported)}`));
    },
    ...(flags.timeoutMs !== undefined && { timeoutMs: flags.timeoutMs }),
  });
  return { report, ...(target.hint !== undefined && { hint: target.hint }) };
}

/** `SERVER TOOL` or one name as agents see it, then assignments. */
function splitWords(positionals: readonly string[]): {
  readonly address: readonly string[];
  readonly words: readonly string[];
} {
  const [, second] = positionals;
  const length = second === undefined || parseAssignment(second) ? 1 : 2;
  return { address: positionals.slice(0, length), words: positionals.slice(length) };
}

async function jsonArguments({ flags }: Command): Promise<JsonObject | undefined> {
  const { args } = flags;
  if (args === undefined) return undefined;
  if (args === '-') return parseJsonArguments(await readAll(process.stdin), '--args from stdin');
  if (!args.startsWith('@')) return parseJsonArguments(args, '--args');
  const file = args.slice(1);
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--args ${args} cannot be read: ${messageOf(error)}`, 'call');
  });
  return parseJsonArguments(content, file);
}

function progressText({ progress, total, message }: Progress): string {
  const counted = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? counted : `${counted}: ${message}`;
}
