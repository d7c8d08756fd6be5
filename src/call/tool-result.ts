import type { Content } from './content.ts';
import type { Outcome } from './outcome.ts';

/** What a server answered to `tools/call`, parsed but not judged. */
export interface CallToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** What an agent gets back from a call, whatever happened. */
export interface ToolResult {
  readonly success: boolean;
  readonly outcome: Outcome;
  /** `Success`, or what the model should read about the failure. */
  readonly message: string;
  readonly content: readonly Content[];
  readonly structuredContent?: unknown;
}
