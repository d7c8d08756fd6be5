import { evaluate, Hub, MarkdownSection, McpServer, PromptTemplate } from 'fairlead';
import type { Model, ModelReply } from 'fairlead';
import { createNotes } from './notes-server.ts';

const advanced = new MarkdownSection({
  title: 'Advanced Tools',
  key: 'advanced',
  template: 'Advanced tools are available. Use these for complex operations.',
  summary: 'Advanced tools available. Expand for details.',
  visibility: 'summary',
  // Has no connection, and would have no process, until the section is opened.
  mcps: [McpServer.sdk('notes', createNotes, { enabledTools: ['read_note'] })],
});
const prompt = new PromptTemplate({ ns: 'demo', key: 'advanced', sections: [advanced] }).bind();

// Stands in for a language model: opens the section, uses what it finds there, and answers.
const replies: ModelReply[] = [
  { toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['advanced'], reason: 'to read a note' } }] },
  { toolCalls: [{ name: 'mcp__notes__read_note', arguments: { path: 'todo' } }] },
  { text: 'You wanted to buy milk.' },
];
const model: Model = {
  respond: async ({ tools }) => {
    console.log(tools.map(({ name }) => name));
    return replies.shift() ?? { text: '' };
  },
};

await using hub = new Hub();
const answer = await evaluate(prompt, model, { hub });
console.log(
  answer.text,
  answer.rendered.mcps.map(({ name }) => name),
);
