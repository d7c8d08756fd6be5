import type { Prompt } from '../connection/catalog.ts';
import type { Command } from './command.ts';
import { withServer } from './hub-session.ts';
import { renderNamedList } from './named-list.ts';
import type { NamedLine } from './named-list.ts';

/** `fairlead prompts`: the prompts of a server, with what they take. */
export function runPrompts(command: Command): Promise<number> {
  const { flags, output, interruption } = command;
  return withServer(command, async (hub, server) => {
    const prompts = await hub.listPrompts(server, { signal: interruption.signal });
    if (flags.json) output.json(prompts);
    else if (prompts.length === 0) output.note(`${server} has no prompts.`);
    else output.lines(renderNamedList(prompts.map(lineOf), { width: output.width }));
  });
}

function lineOf({ name, title, description, arguments: taken }: Prompt): NamedLine {
  const words = taken.map((argument) => (argument.required ? `${argument.name}=…` : `[${argument.name}=…]`));
  return { name: [name, ...words].join(' '), text: description ?? title ?? '' };
}
