import type { ToolAddress } from '../../src/index.ts';
import type { Seen } from './call-bench.ts';

type ServerTool = Exclude<ToolAddress, string>;

/** What is seen of a call that was refused before anything was sent. */
export function refused(outcome: string, message: unknown): Seen {
  return { success: false, outcome, message, read: message, notes: [], events: ['tool-invoked'] } as Seen;
}

/** What is seen of a call that was sent and failed: nothing that it did to the session is left. */
export function failed(outcome: string, message: unknown): Seen {
  return { ...refused(outcome, message), events: ['tool-started', 'tool-invoked'] };
}

/** What is seen of a call that was answered. */
export const OK: Pick<Seen, 'success' | 'outcome' | 'message' | 'events'> = {
  success: true,
  outcome: 'ok',
  message: 'Success',
  events: ['tool-started', 'tool-invoked'],
};
export const ADD: ServerTool = { server: 'files', tool: 'add' };
export const ECHO: ServerTool = { server: 'files', tool: 'echo' };
