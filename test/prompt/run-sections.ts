import { defineTool, MarkdownSection, McpServer, PromptTemplate, textOf } from '../../src/index.ts';
import type { AgentRun, CallReport, JsonObject, MarkdownSectionOptions, Prompt, Section } from '../../src/index.ts';
import { ScriptedServer } from '../fixtures/scripted-server.ts';
import { unstartable } from './known-catalogs.ts';

/** What the model reads of a call. */
export function said(report: CallReport | undefined): string {
  return textOf(report?.content ?? []);
}

export function promptOf(...sections: readonly Section[]): Prompt {
  return new PromptTemplate({ ns: 'tests', key: 'run', sections }).bind();
}

/** A title, a body and a summary that tell which section they are of. */
export function texts(key: string): { title: string; key: string; template: string; summary: string } {
  const word = key.split('.').at(-1) ?? key;
  const title = `${word.charAt(0).toUpperCase()}${word.slice(1)} section`;
  return { title, key, template: `Body of ${key}.`, summary: `Summary of ${key}.` };
}

/** A closed section with a server that exists only in a cache. */
export function closed(server: string, options: Partial<MarkdownSectionOptions> = {}): Section {
  return new MarkdownSection({ ...texts(server), visibility: 'summary', mcps: [unstartable(server)], ...options });
}

/** The same, open. */
export function open(server: string, options: Partial<MarkdownSectionOptions> = {}): Section {
  return new MarkdownSection({ ...texts(server), mcps: [unstartable(server)], ...options });
}

/** A closed one that is told in the generated list. */
export function unsummed(server: string, description?: string): Section {
  const { summary: _summary, ...rest } = texts(server);
  const mcps = [unstartable(server, description === undefined ? {} : { description })];
  return new MarkdownSection({ ...rest, visibility: 'summary', mcps });
}

export function native(name: string): ReturnType<typeof defineTool> {
  return defineTool({ name, description: '', params: { type: 'object' }, handler: () => name });
}

export function namesOf(run: AgentRun): readonly string[] {
  return run.tools().map(({ name }) => name);
}

/** A server in this process whose tools do nothing, unless told otherwise. */
export function scripted(
  name: string,
  tools: readonly string[],
  more: Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>> = {},
): { readonly server: McpServer; readonly scripted: ScriptedServer } {
  const server = new ScriptedServer({ ...answers(tools), ...more });
  return { server: McpServer.sdk(name, server), scripted: server };
}

export function answers(tools: readonly string[]): Record<string, () => JsonObject> {
  return {
    'tools/list': () => ({ tools: tools.map((tool) => ({ name: tool, inputSchema: { type: 'object' } })) }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  };
}
