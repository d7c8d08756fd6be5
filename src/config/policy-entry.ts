import { z } from 'zod';
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
export type PolicyEffect = 'allow' | 'ask' | 'deny';

/** Decides by what a tool's annotations say. */
export interface PermissionsPolicyEntry {
  readonly kind: 'permissions';
  readonly readOnly?: PolicyEffect;
  readonly destructive?: PolicyEffect;
  readonly openWorld?: PolicyEffect;
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
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Which argument names the file; `path` and `file_path` unless said. */
  readonly pathArguments?: readonly string[];
}

/** Decides by a tool's name; deny beats ask, ask beats allow. */
export interface PatternsPolicyEntry {
  readonly kind: 'patterns';
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** So many calls in a window of time. */
export interface RateLimitPolicyEntry {
  readonly kind: 'rate-limit';
  readonly calls: number;
  /** A number is seconds. */
  readonly window: number | string;
  readonly per?: 'server' | 'tool';
  readonly tools?: readonly string[];
}

/** The same arguments to a read-only tool give the same answer for a while. */
export interface CachePolicyEntry {
  readonly kind: 'cache';
  /** A number is seconds. */
  readonly ttl: number | string;
  readonly tools?: readonly string[];
  readonly maxEntries?: number;
}

const tools = z.array(z.string().min(1));
const someTools = tools.min(1, { error: 'at least one tool' });
const effect = z.enum(['allow', 'ask', 'deny']);

const kinds = [
  z.strictObject({
    kind: z.literal('permissions'),
    readOnly: effect.exactOptional(),
    destructive: effect.exactOptional(),
    openWorld: effect.exactOptional(),
    unannotated: effect.exactOptional().describe('For tools that say nothing about themselves.'),
  }),
  z.strictObject({
    kind: z.literal('sequence'),
    dependencies: z
      .record(z.string().min(1), someTools)
      .describe('A tool, and the tools that must have succeeded before.'),
  }),
  z.strictObject({
    kind: z.literal('read-before-write'),
    read: someTools,
    write: someTools,
    pathArguments: someTools.exactOptional().describe('Which argument names the file.'),
  }),
  z.strictObject({
    kind: z.literal('patterns'),
    allow: tools.exactOptional(),
    ask: tools.exactOptional(),
    deny: tools.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('rate-limit'),
    calls: z.int().min(1),
    window: durationSchema.describe('A number is seconds.'),
    per: z.enum(['server', 'tool']).exactOptional(),
    tools: tools.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('cache'),
    ttl: durationSchema.describe('A number is seconds.'),
    tools: tools.exactOptional(),
    maxEntries: z.int().min(1).exactOptional(),
  }),
] as const;

export const policyEntrySchema: z.ZodType<PolicyEntry> = z.discriminatedUnion('kind', kinds);

/** The keys of each kind of policy. */
export const POLICY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  kinds.map((kind) => [kind.shape.kind.value, Object.keys(kind.shape)]),
);
