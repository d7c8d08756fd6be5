import type { ToolResult } from '../call/tool-result.ts';

/** A result, and which call it belongs to. */
export interface CallReport<Structured = unknown> extends ToolResult {
  readonly callId: string;
  readonly durationMs: number;
  readonly structuredContent?: Structured;
  /** The answer is an earlier one; nothing was sent. */
  readonly isCached?: true;
  /** The text was too long for a model: it reads the beginning and the end, and the rest with the handle. */
  readonly truncated?: Truncated;
}

/** What is needed to read on in a result that was cut. */
export interface Truncated {
  readonly handle: string;
  readonly totalCharacters: number;
}
