import { writeFile } from 'node:fs/promises';
import type { ResourceContents } from '../call/content.ts';
import { McpError, messageOf } from '../errors.ts';
import { base64Bytes, formatBytes } from './byte-size.ts';
import type { Command } from './command.ts';
import { withServer } from './hub-session.ts';

/** `fairlead read`: a resource's contents on stdout, or in a file. */
export function runRead(command: Command): Promise<number> {
  const { flags, output, interruption, positionals } = command;
  const [, uri = ''] = positionals;
  return withServer(command, async (hub, server) => {
    const contents = await hub.readResource(server, uri, { signal: interruption.signal });
    if (flags.out !== undefined) await writeContents(command, flags.out, contents);
    else if (flags.json) output.json(contents);
    else for (const piece of contents) print(command, piece);
  });
}

function print({ output }: Command, piece: ResourceContents): void {
  const { text, blob, uri, mimeType } = piece;
  if (blob === undefined) {
    output.foreign(text ?? '');
    return;
  }
  if (!output.isTerminal) {
    output.bytes(Buffer.from(blob, 'base64'));
    return;
  }
  const what = [mimeType ?? 'binary', formatBytes(base64Bytes(blob))].join(', ');
  throw new McpError('INVALID_RESULT', `${uri} is not text (${what}): write it with --out FILE, or pipe it on`);
}

async function writeContents(
  { output, flags }: Command,
  file: string,
  contents: readonly ResourceContents[],
): Promise<void> {
  const [piece, ...more] = contents;
  if (!piece || more.length > 0) {
    throw new McpError(
      'INVALID_RESULT',
      `the resource has ${contents.length} contents, and a file can hold one; use --json to see all`,
    );
  }
  const bytes = piece.blob === undefined ? Buffer.from(piece.text ?? '') : Buffer.from(piece.blob, 'base64');
  try {
    await writeFile(file, bytes);
  } catch (error) {
    throw new McpError('INVALID_RESULT', `${file} cannot be written: ${messageOf(error)}`);
  }
  if (flags.json) output.json({ file, bytes: bytes.length });
  else output.note(`wrote ${formatBytes(bytes.length)} to ${file}`);
}
