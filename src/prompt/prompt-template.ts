import type { ToolPolicy } from '../policy/tool-policy.ts';
import { ResourceRegistry } from '../session/resource-registry.ts';
import { createPlan } from './create-plan.ts';
import type { BoundParams } from './params.ts';
import type { PromptDescriptor } from './prompt-descriptor.ts';
import type { PromptPlan } from './prompt-plan.ts';
import { Prompt } from './prompt.ts';
import type { Section, SectionTool } from './section.ts';
import { normalKey } from './section-key.ts';
import type { StructuredOutput } from './structured-output.ts';

/** What a template is made of. */
export interface PromptTemplateOptions {
  /** Groups prompts; parts may be divided by slashes. */
  readonly ns: string;
  readonly key: string;
  readonly name?: string;
  readonly sections: readonly Section[];
  /** Decide on every call, whatever section its tool belongs to. */
  readonly policies?: readonly ToolPolicy[];
  /** Offered before those of the sections. */
  readonly tools?: readonly SectionTool[];
  readonly resources?: ResourceRegistry;
  readonly structuredOutput?: StructuredOutput;
}

/** Sections in order, checked as a whole: what prompts are made of. */
export class PromptTemplate {
  readonly ns: string;
  readonly key: string;
  readonly name: string | undefined;
  readonly sections: readonly Section[];
  readonly #plan: PromptPlan;

  constructor(options: PromptTemplateOptions) {
    this.ns = options.ns
      .split('/')
      .map((part) => normalKey(part, 'prompt namespace'))
      .join('/');
    this.key = normalKey(options.key, 'prompt key');
    this.name = options.name;
    this.sections = Object.freeze([...options.sections]);
    this.#plan = createPlan({
      ns: this.ns,
      key: this.key,
      name: this.name,
      sections: this.sections,
      tools: Object.freeze([...(options.tools ?? [])]),
      policies: Object.freeze([...(options.policies ?? [])]),
      resources: options.resources ?? ResourceRegistry.of(),
      structuredOutput: options.structuredOutput,
    });
  }

  /** The hashes of the template's texts and tools. */
  get descriptor(): PromptDescriptor {
    return this.#plan.descriptor();
  }

  /** A prompt with these values; the template stays as it is. */
  bind(...params: readonly BoundParams[]): Prompt {
    return new Prompt(this.#plan).bind(...params);
  }

  /** The section at a whole path, such as `guidance.tools`. */
  findSection(path: string): Section | undefined {
    return this.#plan.byPath.get(path)?.section;
  }

  /** Lets go of whatever the sections hold. */
  async cleanup(): Promise<void> {
    await Promise.all(this.sections.map((section) => section.cleanup()));
  }
}
