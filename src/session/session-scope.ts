import type { SessionEvent } from './session-event.ts';
import type { Slice, SliceView } from './slice.ts';

/** What a tool or a policy sees of a session: the session itself, or a transaction on it. */
export interface SessionScope {
  readonly id: string;
  /** On whose behalf the agent works. */
  readonly principal: string;
  /** One slice of the state, with what this scope has changed and not committed yet. */
  slice<Item>(slice: Slice<Item>): SliceView<Item>;
  /** Runs the reducers of every slice that listens to this type of event. */
  dispatch(event: SessionEvent): void;
}
