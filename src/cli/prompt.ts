import { parseAssignments } from './call-arguments.ts';
import type { Command } from './command.ts';
import { contentText } from './content-text.ts';
import { withServer } from './hub-session.ts';
import { UsageError } from './usage-error.ts';

/** `fairlead prompt`: a prompt's messages, with its arguments filled in. */
export function runPrompt(command: Command): Promise<number> {
  const { flags, output, interruption, positionals } = command;
  const [, name = '', ...words] = positionals;
  const assignments = parseAssignments(words, 'prompt');
  const json = assignments.find(({ isJson }) => isJson);
  if (json) throw new UsageError(`a prompt takes only text: write ${json.key}=… instead of ${json.key}:=…`, 'prompt');
  return withServer(command, async (hub, server) => {
    const args = Object.fromEntries(assignments.map(({ key, value }) => [key, value]));
    const result = await hub.getPrompt(server, name, { arguments: args, signal: interruption.signal });
    if (flags.json) {
      output.json(result);
      return;
    }
    for (const { role, content } of result.messages) {
      output.line(output.paint.dim(`${role}:`));
      output.foreign(`${contentText(content)}\n`);
    }
  });
}
