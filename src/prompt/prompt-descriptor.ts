import { createHash } from 'node:crypto';
import { canonicalJson } from '../call/canonical-json.ts';
import type { Section, SectionTool } from './section.ts';

/** What a prompt is made of, as hashes: equal for as long as nobody edits its texts and tools. */
export interface PromptDescriptor {
  readonly ns: string;
  readonly key: string;
  /** The sections whose text may be replaced. */
  readonly sections: readonly SectionDescriptor[];
  /** The tools whose descriptions may be replaced. */
  readonly tools: readonly ToolDescriptor[];
}

export interface SectionDescriptor {
  readonly path: string;
  readonly contentHash: string;
  readonly number: string;
}

export interface ToolDescriptor {
  /** The section that has the tool; empty for a tool of the template itself. */
  readonly path: string;
  readonly name: string;
  readonly contractHash: string;
}

/** A section and its place, as far as a descriptor tells them. */
export interface DescribedSection {
  readonly path: string;
  readonly number: string;
  readonly section: Section;
}

/** Describes what accepts overrides. */
export function describePrompt(prompt: {
  readonly ns: string;
  readonly key: string;
  readonly tools: readonly SectionTool[];
  readonly nodes: readonly DescribedSection[];
}): PromptDescriptor {
  const open = prompt.nodes.filter(({ section }) => section.acceptsOverrides);
  return Object.freeze({
    ns: prompt.ns,
    key: prompt.key,
    sections: Object.freeze(open.flatMap(describeSection)),
    tools: Object.freeze([
      ...prompt.tools.map((tool) => describeTool(tool, '')),
      ...open.flatMap(({ path, section }) => section.declaredTools.map((tool) => describeTool(tool, path))),
    ]),
  });
}

function describeSection({ path, number, section }: DescribedSection): readonly SectionDescriptor[] {
  const template = section.bodyTemplate();
  return template === undefined ? [] : [Object.freeze({ path, contentHash: sha256(template), number })];
}

function describeTool(tool: SectionTool, path: string): ToolDescriptor {
  const { name, description, inputSchema, outputSchema } = tool;
  const parts = [description, canonicalJson(inputSchema), canonicalJson(outputSchema ?? null)];
  return Object.freeze({ path, name, contractHash: sha256(parts.map(sha256).join('::')) });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
