import type { HubSession } from './hub-session.ts';

/** How `up` shows what its servers do. */
export interface UpView {
  open(session: HubSession): void;
  /** A wish to stop has come; servers are being ended. */
  stopping(): void;
  /** No server is left. */
  stopped(): void;
}
