import type { JsonObject } from '../call/tool-ref.ts';
import { PromptRenderError } from './prompt-errors.ts';
import type { PromptOverride, ToolOverride } from './prompt-overrides.ts';
import type { BodyContext, Section, SectionTool } from './section.ts';
import { compileTemplate } from './template-text.ts';

/** A stored text for a section, rendered; undefined where nothing is stored. */
export function overriddenBody(override: PromptOverride, section: Section, context: BodyContext): string | undefined {
  const stored = ownEntry(override.sections, context.path);
  if (!stored) return undefined;
  return compileTemplate(stored.body).render(section.bodyValues(context), (placeholder) => {
    throw new PromptRenderError(`no value for $${placeholder}, which its stored text names`, {
      section: context.path,
      placeholder,
    });
  });
}

/** The tools with the descriptions that are stored for them. */
export function overriddenTools(override: PromptOverride, tools: readonly SectionTool[]): readonly SectionTool[] {
  if (Object.keys(override.tools).length === 0) return tools;
  return tools.map((tool) => {
    const stored = ownEntry(override.tools, tool.name);
    return stored ? withTexts(tool, stored) : tool;
  });
}

function withTexts(tool: SectionTool, { description, paramDescriptions = {} }: ToolOverride): SectionTool {
  return Object.freeze({
    ...tool,
    ...(description !== undefined && { description }),
    inputSchema: withDescriptions(tool.inputSchema, paramDescriptions),
  });
}

function withDescriptions(schema: JsonObject, descriptions: Readonly<Record<string, string>>): JsonObject {
  const { properties } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  if (!properties || Object.keys(descriptions).length === 0) return schema;
  const described = Object.entries(properties).map(([name, property]) => {
    const description = ownEntry(descriptions, name);
    const isSchema = typeof property === 'object' && property !== null;
    return [name, description !== undefined && isSchema ? { ...property, description } : property];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

/** Paths and names may be those of an object's own methods. */
function ownEntry<Entry>(entries: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
