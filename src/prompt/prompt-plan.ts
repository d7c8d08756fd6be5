import type { ToolPolicy } from '../policy/tool-policy.ts';
import type { ResourceRegistry } from '../session/resource-registry.ts';
import type { AnyParams, BoundParams } from './params.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import type { Section, SectionTool } from './section.ts';
import type { StructuredOutput } from './structured-output.ts';

/** A section at its place in a template; everything about it that no rendering changes. */
export interface SectionNode {
  readonly section: Section;
  readonly path: string;
  readonly number: string;
  readonly depth: number;
  readonly heading: string;
  /** Its place in traversal order. */
  readonly index: number;
  /** The place after its last descendant. */
  readonly end: number;
  /** Its parent's place; undefined for a section of the template itself. */
  readonly parent: number | undefined;
  /** Whether it or a descendant can have tools. */
  readonly mayOfferTools: boolean;
}

/** A template, read once: what every prompt made of it shares. */
export interface PromptPlan {
  readonly ns: string;
  readonly key: string;
  readonly name: string | undefined;
  /** Depth first, parents before children. */
  readonly nodes: readonly SectionNode[];
  readonly byPath: ReadonlyMap<string, SectionNode>;
  /** Those of the template itself. */
  readonly tools: readonly SectionTool[];
  readonly policies: readonly ToolPolicy[];
  /** Whether all declared servers have names of their own and plain args: then no rendering needs to compare them. */
  readonly hasSettledServers: boolean;
  /** Those of the template, and over them those of its sections. */
  readonly resources: ResourceRegistry;
  readonly structuredOutput: StructuredOutput | undefined;
  /** The kinds of parameters that sections use, with the first default there is for each. */
  readonly params: ReadonlyMap<AnyParams, BoundParams | undefined>;
  descriptor(): PromptDescriptor;
}
