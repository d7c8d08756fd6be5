import type { McpServer } from '../config/server.ts';
import type { BoundPolicy } from '../policy/tool-policy.ts';
import type { ToolSpec } from '../tools/tool-spec.ts';
import type { ClosedSection } from './closed-section.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import type { SectionTool } from './section.ts';
import type { StructuredOutput } from './structured-output.ts';

/** What a rendering found. */
export interface RenderedContents {
  readonly text: string;
  readonly tools: readonly SectionTool[];
  readonly mcps: readonly McpServer[];
  readonly policies: readonly BoundPolicy[];
  readonly closedSections: readonly ClosedSection[];
  readonly mcpTools?: readonly ToolSpec[] | undefined;
  readonly structuredOutput?: StructuredOutput | undefined;
  readonly deadline?: number | undefined;
  /** Makes the descriptor when it is asked for. */
  readonly describe: () => PromptDescriptor;
  /** Counts the tokens when they are asked for. */
  readonly countTokens: (contents: RenderedContents) => Promise<PromptTokens>;
}

/** What a rendered prompt costs the model. */
export interface PromptTokens {
  /** How it was counted. */
  readonly method: string;
  readonly text: number;
  readonly tools: number;
  readonly total: number;
}

/** Descriptions of parameters, by tool and by parameter. */
export type ToolParamDescriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A prompt as an agent gets it: an immutable value. */
export class RenderedPrompt {
  readonly text: string;
  /** The tools of open sections, in traversal order. */
  readonly tools: readonly SectionTool[];
  /** The servers of open sections, in traversal order, one per name. */
  readonly mcps: readonly McpServer[];
  /** Those of sections, bound to what they cover, then those of the template; a `Caller` takes them as `sectionPolicies`. */
  readonly policies: readonly BoundPolicy[];
  /** The sections that show their summary alone, in traversal order; what is within them is not listed. */
  readonly closedSections: readonly ClosedSection[];
  /** The tools of the rendered servers, if they were to be discovered. */
  readonly mcpTools: readonly ToolSpec[] | undefined;
  readonly structuredOutput: StructuredOutput | undefined;
  /** When the work on the prompt is given up, in milliseconds since 1970. */
  readonly deadline: number | undefined;
  readonly #contents: RenderedContents;
  #paramDescriptions: ToolParamDescriptions | undefined;
  #tokens: Promise<PromptTokens> | undefined;

  constructor(contents: RenderedContents) {
    this.#contents = contents;
    this.text = contents.text;
    this.tools = Object.freeze(contents.tools);
    this.mcps = Object.freeze(contents.mcps);
    this.policies = Object.freeze(contents.policies);
    this.closedSections = Object.freeze(contents.closedSections);
    this.mcpTools = contents.mcpTools && Object.freeze(contents.mcpTools);
    this.structuredOutput = contents.structuredOutput;
    this.deadline = contents.deadline;
    Object.freeze(this);
  }

  /** The hashes of the template's texts and tools, by which stored overrides are known to fit. */
  get descriptor(): PromptDescriptor {
    return this.#contents.describe();
  }

  get toolParamDescriptions(): ToolParamDescriptions {
    this.#paramDescriptions ??= Object.freeze(
      Object.fromEntries(this.tools.map((tool) => [tool.name, paramDescriptionsOf(tool)])),
    );
    return this.#paramDescriptions;
  }

  /** The same once more; its tokens are counted anew when they are asked for. */
  recounted(): RenderedPrompt {
    return new RenderedPrompt(this.#contents);
  }

  /** What text and tools cost the model. */
  get tokens(): Promise<PromptTokens> {
    this.#tokens ??= this.#contents.countTokens(this.#contents);
    return this.#tokens;
  }
}

function paramDescriptionsOf({ inputSchema }: SectionTool): Readonly<Record<string, string>> {
  const { properties } = inputSchema as { readonly properties?: Readonly<Record<string, unknown>> };
  const described = Object.entries(properties ?? {}).flatMap(([name, schema]): [string, string][] => {
    const { description } = (schema ?? {}) as { readonly description?: unknown };
    return typeof description === 'string' ? [[name, description]] : [];
  });
  return Object.freeze(Object.fromEntries(described));
}
