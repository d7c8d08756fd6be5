import { isAbsolute, resolve } from 'node:path';
import type { McpServer } from './server.ts';

/** Makes a server's working directory, and a command that is a path, mean the same wherever Fairlead is started. */
export function anchorPaths(server: McpServer, folder: string): McpServer {
  const { transport } = server;
  if (transport.kind !== 'stdio') return server;
  const { command, cwd } = transport;
  const anchoredCommand = command.includes('/') ? anchor(command, folder) : command;
  const anchoredCwd = cwd === undefined ? undefined : anchor(cwd, folder);
  if (anchoredCommand === command && anchoredCwd === cwd) return server;
  return server.with({
    transport: { ...transport, command: anchoredCommand, ...(anchoredCwd !== undefined && { cwd: anchoredCwd }) },
  });
}

function anchor(path: string, folder: string): string {
  // A path that begins with a reference is complete once that is resolved.
  return isAbsolute(path) || path.startsWith('${') ? path : resolve(folder, path);
}
