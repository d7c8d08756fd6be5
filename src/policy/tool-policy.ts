import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import type { ToolResult } from '../call/tool-result.ts';
import type { ResourceLookup } from '../session/resource-key.ts';
import type { SessionScope } from '../session/session-scope.ts';
import type { Decision } from './decision.ts';

/** Decides on calls. Its state, if it has any, lives in the session. */
export interface ToolPolicy {
  /** Shown to whoever is asked or refused. */
  readonly name: string;
  /** What can be said of a tool whatever its arguments: a tool that is denied here is not offered either. */
  admit?(tool: ToolRef, scope: PolicyScope): Decision;
  /** What is said of one call; runs only if the tool was admitted. */
  check?(call: ToolCall, context: PolicyContext): Decision | Promise<Decision>;
  /** An earlier answer that makes the call needless. */
  recall?(call: ToolCall, context: PolicyContext): ToolResult | undefined;
  /** Sees every call that succeeded, of every server and section, before it is committed. */
  onResult?(call: ToolCall, result: ToolResult, context: PolicyContext): void | Promise<void>;
}

/** Where a policy stands, and so which tools it decides on and how it names them. */
export type PolicyScope =
  | { readonly kind: 'server'; readonly server: string }
  | { readonly kind: 'section'; readonly section: string; readonly covers: (tool: ToolRef) => boolean }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'template' };

/** What a policy may look at. */
export interface PolicyContext {
  readonly scope: PolicyScope;
  /** In `onResult` the call's transaction: what is written there is dropped if the call fails after all. */
  readonly session: SessionScope;
  readonly resources: ResourceLookup;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tells the declarations of the tool's server apart, which may be another one under the same name; for `recall` and `onResult`. */
  readonly definition?: string | undefined;
  readonly signal: AbortSignal;
}

/** A policy and where it stands. */
export interface BoundPolicy {
  readonly policy: ToolPolicy;
  readonly scope: PolicyScope;
}
