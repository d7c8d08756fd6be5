import type { JsonObject } from './tool-ref.ts';

/** Someone must say yes before a call is sent. */
export interface ApprovalAsked {
  readonly type: 'approval-asked';
  readonly at: number;
  readonly approvalId: string;
  readonly callId: string;
  readonly sessionId: string;
  readonly principal: string;
  /** The name the agent used. */
  readonly name: string;
  readonly mcpServer?: string;
  readonly params: JsonObject;
  /** The policy that asks, and why. */
  readonly policy: string;
  readonly reason: string;
  readonly expiresAt: number;
}

/** The question of an `approval-asked` is settled. */
export interface ApprovalDecided {
  readonly type: 'approval-decided';
  readonly at: number;
  readonly approvalId: string;
  readonly callId: string;
  readonly sessionId: string;
  readonly decision: 'approved' | 'refused' | 'expired';
  /** Who decided, if the broker says so. */
  readonly by?: string;
  readonly reason?: string;
}
