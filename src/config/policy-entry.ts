import { z } from 'zod';
import type { Effect } from '../policy/effect.ts';
import { parseToolPattern } from '../policy/parse-tool-pattern.ts';
import { messageOf } from '../errors.ts';
import { durationSchema } from './server-entry.ts';

/** What a file says about one policy; tools are `server/tool` with `*` for anything, on a server its own names. */
export type PolicyEntry =
  | PermissionsPolicyEntry
  | SequencePolicyEntry
  | ReadBeforeWritePolicyEntry
  | PatternsPolicyEntry
  | RateLimitPolicyEntry
  | CachePolicyEntry;

/** What becomes of a call. */
export type PolicyEffect = Effect;

/** Decides by what a tool's annotations say. */
export interface PermissionsPolicyEntry {
  readonly kind: 'permissions';
  readonly readOnly?: PolicyEffect;
  readonly destructive?: PolicyEffect;
  readonly openWorld?: PolicyEffect;
  readonly contained?: PolicyEffect;
  /** For tools that say nothing about themselves. */
  readonly unannotated?: PolicyEffect;
}

/** A tool may be called only after others have succeeded. */
export interface SequencePolicyEntry {
  readonly kind: 'sequence';
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
}

/** A file must be read before it is overwritten. */
export interface ReadBeforeWritePolicyEntry {
  readonly kind: 'read-before-write';
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Which argument names the file; `path` and `file_path` unless said. */
  readonly pathArguments?: readonly string[];
}

/** Decides by a tool's name; deny beats ask, ask beats allow. */
export interface PatternsPolicyEntry {
  readonly kind: 'patterns';
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** What becomes of the rest. */
  readonly otherwise?: PolicyEffect;
}

/** So many calls in a window of time. */
export interface RateLimitPolicyEntry {
  readonly kind: 'rate-limit';
  readonly calls: number;
  /** A number is seconds. */
  readonly window: number | string;
  readonly per?: 'server' | 'tool';
  readonly tools?: readonly string[];
  /** One limit for all sessions together. */
  readonly shared?: boolean;
}

/** The same arguments to a read-only tool give the same answer for a while. */
export interface CachePolicyEntry {
  readonly kind: 'cache';
  /** A number is seconds. */
  readonly ttl: number | string;
  readonly tools?: readonly string[];
  readonly maxEntries?: number;
  readonly maxBytes?: number;
}

const tool = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const mistake = mistakeIn(text);
    if (mistake !== undefined) context.addIssue({ code: 'custom', message: mistake });
  });
const tools = z.array(tool);
const someTools = tools.min(1, { error: 'at least one tool' });
const effect = z.enum(['allow', 'ask', 'deny']);

const kinds = [
  z.strictObject({
    kind: z.literal('permissions'),
    readOnly: effect.exactOptional(),
    destructive: effect.exactOptional(),
    openWorld: effect.exactOptional(),
    contained: effect.exactOptional().describe('For tools that destroy nothing and stay in their own world.'),
    unannotated: effect.exactOptional().describe('For tools that say nothing about themselves.'),
  }),
  z.strictObject({
    kind: z.literal('sequence'),
    dependencies: z.record(tool, someTools).describe('A tool, and the tools that must have succeeded before.'),
  }),
  z.strictObject({
    kind: z.literal('read-before-write'),
    read: someTools.exactOptional(),
    write: someTools.exactOptional(),
    pathArguments: z.array(z.string().min(1)).min(1).exactOptional().describe('Which argument names the file.'),
  }),
  z.strictObject({
    kind: z.literal('patterns'),
    allow: tools.exactOptional(),
    ask: tools.exactOptional(),
    deny: tools.exactOptional(),
    otherwise: effect.exactOptional().describe('What becomes of the rest: allow, or with an allow list ask.'),
  }),
  z.strictObject({
    kind: z.literal('rate-limit'),
    calls: z.int().min(1),
    window: durationSchema.describe('A number is seconds.'),
    per: z.enum(['server', 'tool']).exactOptional(),
    tools: tools.exactOptional(),
    shared: z.boolean().exactOptional().describe('One limit for all sessions together.'),
  }),
  z.strictObject({
    kind: z.literal('cache'),
    ttl: durationSchema.describe('A number is seconds.'),
    tools: tools.exactOptional(),
    maxEntries: z.int().min(1).exactOptional(),
    maxBytes: z.int().min(1).exactOptional(),
  }),
] as const;

export const policyEntrySchema: z.ZodType<PolicyEntry> = z.discriminatedUnion('kind', kinds);

/** The keys of each kind of policy. */
export const POLICY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  kinds.map((kind) => [kind.shape.kind.value, Object.keys(kind.shape)]),
);

function mistakeIn(text: string): string | undefined {
  try {
    parseToolPattern(text);
    return undefined;
  } catch (error) {
    return `another pattern; ${messageOf(error)}`;
  }
}
