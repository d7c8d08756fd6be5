import type { Content } from '../../call/content.ts';
import type { DefinedTool } from './definition-text.ts';
import type { JsonObject } from '../../call/tool-ref.ts';

/** A tool call that a model asks for. */
export interface ModelToolCall {
  /** The model's own id for it; made up where it has none. */
  readonly id?: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** One step of a conversation. */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text?: string; readonly toolCalls?: readonly ModelToolCall[] }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly text: string;
      /** The whole answer, images and resources too; absent where there is none but the text. */
      readonly content?: readonly Content[];
      readonly isError: boolean;
    };

/** What a model is asked with; both lists only ever grow at their ends. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly DefinedTool[];
  readonly signal: AbortSignal;
}

/** An answer, or the calls that are needed for it. */
export type ModelReply =
  | { readonly text: string }
  | { readonly toolCalls: readonly ModelToolCall[]; readonly text?: string };

/** Any model, behind any API. */
export interface Model {
  respond(request: ModelRequest): Promise<ModelReply>;
}
