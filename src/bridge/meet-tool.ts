import type { ToolCall } from '../call/tool-call.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { NEVER } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { CallOptions, ToolAddress } from './call-options.ts';
import type { CallableTool } from './call-plan.ts';
import type { CallGround } from './call-scope.ts';
import { CallScope } from './call-scope.ts';
import { judgeByName } from './judge-by-name.ts';
import type { NameRuling } from './judge-by-name.ts';
import { hasAnswered, TOO_LATE } from './policy-limit.ts';
import { cancelledBefore, denied, tooLate } from './to-tool-result.ts';
import type { ToolDirectory } from './tool-directory.ts';

/** A call of a tool that is not known yet. */
export interface Meeting {
  readonly address: ToolAddress;
  /** With what can be said of the tool before its server has. */
  readonly call: ToolCall;
  readonly options: CallOptions;
  readonly ground: CallGround;
  readonly clock: Clock;
}

/** A tool that has become known, and what was said of the call before. */
export interface MetTool {
  readonly tool: CallableTool;
  readonly said: NameRuling | undefined;
}

/** Finds a tool by starting its server, unless it is clear before that the call will not be made. */
export async function meetTool(directory: ToolDirectory, meeting: Meeting): Promise<MetTool | ToolResult> {
  const { address, call, options, clock } = meeting;
  const { signal, deadline, timeoutMs } = options;
  if (signal?.aborted) return cancelledBefore(call.tool);
  const leftMs = deadline === undefined ? undefined : deadline - clock.now();
  if (leftMs !== undefined && leftMs <= 0) return tooLate(call.tool);
  // A bare name may mean the tool of any server, so nothing can be said of it.
  const said = typeof address === 'string' ? undefined : await judge(directory, meeting);
  if (said?.ruling.kind === 'deny') return denied(said.ruling.reason);
  const limitMs = leftMs === undefined ? timeoutMs : Math.min(leftMs, timeoutMs ?? leftMs);
  const tool = await directory.discover(address, {
    ...(signal && { signal }),
    ...(limitMs !== undefined && { timeoutMs: limitMs }),
  });
  return 'outcome' in tool ? tool : { tool, said };
}

async function judge(directory: ToolDirectory, { call, options, ground, clock }: Meeting): Promise<NameRuling> {
  // Nothing may be changed for a call that is not on its way yet.
  const scope = new CallScope(ground, true);
  try {
    const context = {
      session: scope.before,
      resources: scope,
      now: clock.now(),
      signal: options.signal ?? NEVER,
    };
    const said = judgeByName({ policies: directory.policiesOn(call.tool), call, context });
    return (await hasAnswered(said, clock)) ? await said : { ruling: TOO_LATE, answered: new Set() };
  } finally {
    await scope.close();
  }
}
