import {
  callbackBroker,
  defineParams,
  evaluate,
  Hub,
  MarkdownSection,
  McpServer,
  PermissionsPolicy,
  PromptTemplate,
  Session,
} from 'fairlead';
import type { Model, ModelReply } from 'fairlead';
import { createNotes } from './notes-server.ts';

const Task = defineParams<{ task: string }>('task', { fields: ['task'] });
const notes = McpServer.sdk('notes', createNotes, { trust: 'trusted', description: 'Keeps short notes.' });
const template = new PromptTemplate({
  ns: 'examples',
  key: 'small-agent',
  sections: [
    new MarkdownSection({ title: 'Task', key: 'task', params: Task, template: 'Do this: $task' }),
    new MarkdownSection({
      title: 'Notes',
      key: 'notes',
      template: 'Notes are found by their path.',
      visibility: 'summary',
      mcps: [notes.withPolicies(new PermissionsPolicy())],
    }),
  ],
});

// Stands in for a language model; yours sends `messages` and `tools` to its API, and makes a reply of the answer.
const replies: ModelReply[] = [
  { toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['notes'], reason: 'to tidy up' } }] },
  { toolCalls: [{ name: 'mcp__notes__delete_note', arguments: { path: 'todo' } }] },
  { text: 'The note is gone.' },
];
const model: Model = {
  respond: async ({ messages, tools }) => {
    console.log(messages.at(-1)?.role, tools.length);
    return replies.shift() ?? { text: '' };
  },
};

const session = new Session();
session.dispatcher.subscribe('tool-invoked', ({ name, outcome }) => console.log(name, outcome));

await using hub = new Hub();
const { text } = await evaluate(template.bind(Task({ task: 'delete my note' })), model, {
  hub,
  session,
  approval: callbackBroker(async ({ tool, arguments: args }) => {
    console.log('asked:', tool, args);
    return { approved: true, by: 'Ada' };
  }),
  maxTurns: 10,
});
console.log(text);
