import type { ToolRef } from '../call/tool-ref.ts';
import { definitionHash } from '../config/definition-hash.ts';
import type { McpServer } from '../config/server.ts';
import { repeatableByAnnotation } from '../connection/resend-policy.ts';
import { admission } from '../policy/admission.ts';
import { coversTool } from '../policy/policy-reach.ts';
import type { Ruling } from '../policy/ruling.ts';
import type { BoundPolicy, PolicyScope } from '../policy/tool-policy.ts';
import type { SchemaCheck } from '../tools/schema/schema-check.ts';
import type { ToolSchemas } from '../tools/schema/tool-schemas.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import type { NativeTool } from './native-tool.ts';

/** A tool that can be called, whoever runs it. */
export type CallableTool = NativeTool | ToolSpec;

/** Everything about calling one tool that does not change from call to call. */
export interface CallPlan {
  readonly tool: CallableTool;
  readonly input: SchemaCheck;
  readonly output: SchemaCheck | undefined;
  /** What is said of the tool whatever its arguments. */
  readonly admitted: Ruling;
  /** Those that decide on this tool. */
  readonly policies: readonly BoundPolicy[];
  /** Those that may know the answer already. */
  readonly caches: readonly BoundPolicy[];
  /** Which declaration of its server the tool is of, for whoever keeps answers. */
  readonly definition: string | undefined;
  /** Those that see every call that succeeds, wherever they stand. */
  readonly observers: readonly BoundPolicy[];
  /** Changes nothing, as far as we may believe it: takes no transaction. */
  readonly isReadOnly: boolean;
  /** Nothing is lost if the call ran without our knowing. */
  readonly isHarmless: boolean;
  readonly isTracked: boolean;
}

interface PlanContext {
  readonly schemas: ToolSchemas;
  readonly isTracked: boolean;
  /** Absent for a native tool. */
  readonly server?: McpServer;
}

/** Makes the plan of a tool under the policies that stand anywhere. */
export function planCall(tool: CallableTool, policies: readonly BoundPolicy[], context: PlanContext): CallPlan {
  const covering = policies.filter(({ scope }) => mayCover(scope, tool));
  const caches = covering.filter(({ policy }) => policy.recall !== undefined);
  return {
    tool,
    input: context.schemas.input(tool),
    output: context.schemas.output(tool),
    admitted: admission(covering, tool),
    policies: covering.filter(({ policy }) => policy.check !== undefined),
    caches,
    definition: caches.length > 0 && context.server ? definitionHash(context.server) : undefined,
    observers: policies.filter(({ policy }) => policy.onResult !== undefined),
    isReadOnly: isReadOnly(tool),
    isHarmless: repeatableByAnnotation(tool.annotations, tool.trust) === 'repeatable',
    isTracked: context.isTracked,
  };
}

/** A section that cannot tell is taken to cover the tool; its failure is then a denial. */
function mayCover(scope: PolicyScope, tool: ToolRef): boolean {
  try {
    return coversTool(scope, tool);
  } catch {
    return true;
  }
}

/** What an untrusted server says of itself is not believed. */
function isReadOnly({ trust, annotations }: ToolRef): boolean {
  return trust === 'trusted' && annotations?.readOnlyHint === true;
}
