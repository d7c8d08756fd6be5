import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { McpError, messageOf } from '../errors.ts';
import { renderDeclarationFile } from '../tools/typescript/declaration-file.ts';
import type { Command } from './command.ts';
import { enabledServers, withHub } from './hub-session.ts';
import { knownServers } from './known-servers.ts';

/** `fairlead types`: what the tools take and return, as TypeScript, on stdout or in a file. */
export function runTypes(command: Command): Promise<number> {
  const { flags, output, positionals } = command;
  return withHub(command, async ({ hub }) => {
    const named = [...new Set(positionals)].map((name) => hub.server(name).name);
    const wanted = named.length === 0 ? enabledServers(hub) : named;
    const known = await knownServers(command, hub, wanted);
    // A file that is there is worth more than an empty one.
    if (wanted.length > 0 && known.length === 0) return 1;
    const tools = known.flatMap((server) => hub.tools(server));
    const text = renderDeclarationFile(tools);
    if (flags.out === undefined) output.foreign(text);
    else await replaceFile(flags.out, text);
    const count = `${counted(tools.length, 'tool')} of ${counted(known.length, 'server')}`;
    output.note(flags.out === undefined ? count : `wrote ${count} to ${flags.out}`);
    return 0;
  });
}

/** Whoever reads the file meanwhile, a compiler that watches it for one, sees the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new McpError('INVALID_RESULT', `${file} cannot be written: ${messageOf(error).replaceAll(draft, file)}`);
  }
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
