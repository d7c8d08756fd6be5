import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Progress } from '../call/progress.ts';
import type { JsonObject } from '../call/tool-ref.ts';
import { messageOf } from '../errors.ts';

/** How long a request may take, and who follows it. */
export interface RequestOptions {
  readonly timeoutMs: number;
  /** Progress extends the timeout up to this. */
  readonly maxTotalMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The request is on its way. */
  readonly onSent?: (() => void) | undefined;
}

/** Tells that a request is on its way; what the listener throws is not the request's business. */
export function tellSent({ onSent }: RequestOptions): void {
  try {
    onSent?.();
  } catch {
    // It cannot be taken back any more.
  }
}

/** One request: a method, its params, and how its result is read. A parser throws on a result it cannot use. */
export interface ProtocolRequest<Result> {
  readonly method: string;
  readonly params?: JsonObject;
  /** Goes beside the params as `_meta`. */
  readonly meta?: JsonObject | undefined;
  readonly parse: (result: JsonObject) => Result;
  /** For a tool whose arguments travel as headers too: the schema that says which. */
  readonly mirrored?: MirroredTool;
}

export interface MirroredTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A parser in the form in which the SDK takes it. */
export function schemaOf<Result>(parse: (result: JsonObject) => Result): StandardSchemaV1<unknown, Result> {
  return {
    '~standard': {
      version: 1,
      vendor: 'fairlead',
      validate: (value) => {
        try {
          return { value: parse(value as JsonObject) };
        } catch (error) {
          return { issues: [{ message: error instanceof Error ? error.message : String(error) }] };
        }
      },
    },
  };
}

/** Why a request could not be put into words; asked only after it has failed, because asking costs as much as sending. */
export function whyUnsendable(params: JsonObject | undefined): string | undefined {
  try {
    JSON.stringify(params);
    return undefined;
  } catch (error) {
    return `the arguments cannot be written as JSON: ${messageOf(error)}`;
  }
}
