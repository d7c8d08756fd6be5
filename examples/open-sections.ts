import { AgentRun, Hub, McpServer, MarkdownSection, PromptTemplate, textOf } from 'fairlead';
import { createNotes } from './notes-server.ts';

const template = new PromptTemplate({
  ns: 'examples',
  key: 'assistant',
  sections: [
    new MarkdownSection({ title: 'Task', key: 'task', template: 'Help with whatever is asked.' }),
    // No summary: a line is made of what is known of it.
    new MarkdownSection({
      title: 'Notes',
      key: 'notes',
      template: 'Notes are found by their path.',
      visibility: 'summary',
      mcps: [McpServer.sdk('notes', createNotes(), { description: 'Keeps short notes.' })],
    }),
  ],
});

await using hub = new Hub();
await using run = await AgentRun.open(template.bind(), { hub });
run.session.dispatcher.subscribe('sections-opened', ({ sections, reason }) => console.log('opened', sections, reason));

console.log(run.text.split('\n').at(-1));
console.log(run.tools().map(({ name }) => name));

// What a model would do: open the section, then call one of its tools.
await run.call('open_sections', { section_keys: ['notes'], reason: 'to read a note' });
console.log(run.tools().map(({ name }) => name));
const report = await run.call('mcp__notes__read_note', { path: 'todo' });
console.log(textOf(report.content));
