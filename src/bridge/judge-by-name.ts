import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import { admission } from '../policy/admission.ts';
import { checkAdmitted } from '../policy/decide.ts';
import type { Question } from '../policy/decide.ts';
import { ALLOWED, narrow } from '../policy/ruling.ts';
import type { Ruling } from '../policy/ruling.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';

/** What policies said of a call whose tool they know by name only. */
export interface NameRuling {
  readonly ruling: Ruling;
  /** Those whose check has answered for good, and is not run again for this call. */
  readonly answered: ReadonlySet<BoundPolicy>;
}

/** Asks every policy that can decide without the tool's definition, so that a denial starts no server. */
export async function judgeByName({ policies, call, context }: Question): Promise<NameRuling> {
  const answered = new Set<BoundPolicy>();
  const known = policies.map((bound) => ({ bound, watched: watch(call.tool) }));
  for (const { bound, watched } of known) {
    const admitted = admission([bound], watched.tool);
    if (admitted.kind === 'deny' && !watched.isRead()) return { ruling: admitted, answered };
  }
  let ruling = ALLOWED;
  for (const { bound, watched } of known) {
    if (watched.isRead()) continue;
    const watchedCall: ToolCall = { ...call, tool: watched.tool };
    const answer = await checkAdmitted({ policies: [bound], call: watchedCall, context }, ALLOWED);
    if (watched.isRead()) continue;
    answered.add(bound);
    ruling = narrow(ruling, answer);
    if (ruling.kind === 'deny') break;
  }
  return { ruling, answered };
}

interface WatchedTool {
  readonly tool: ToolRef;
  /** Whoever has looked for hints has decided on what is not known yet. */
  isRead(): boolean;
}

function watch({ name, server, tool, source, trust }: ToolRef): WatchedTool {
  let isRead = false;
  const watched = {
    name,
    ...(server !== undefined && { server }),
    tool,
    source,
    trust,
    get annotations() {
      isRead = true;
      return {};
    },
  };
  return { tool: watched, isRead: () => isRead };
}
