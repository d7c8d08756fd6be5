import { isAbsolute, resolve } from 'node:path';
import type { McpServer } from './server.ts';

/** Makes a server's working directory, a command that is a path, and the paths of its sandbox mean the same wherever Fairlead is started. */
export function anchorPaths(server: McpServer, folder: string): McpServer {
  const { transport, isolation } = server;
  if (transport.kind !== 'stdio') return server;
  const anchoredIsolation =
    typeof isolation === 'object' ? isolation.withPaths((path) => anchor(path, folder)) : isolation;
  const { command, cwd } = transport;
  const anchoredCommand = command.includes('/') ? anchor(command, folder) : command;
  const anchoredCwd = cwd === undefined ? undefined : anchor(cwd, folder);
  const isSame = anchoredCommand === command && anchoredCwd === cwd && anchoredIsolation === isolation;
  if (isSame) return server;
  return server.with({
    ...(anchoredIsolation && { isolation: anchoredIsolation }),
    transport: { ...transport, command: anchoredCommand, ...(anchoredCwd !== undefined && { cwd: anchoredCwd }) },
  });
}

function anchor(path: string, folder: string): string {
  // A path that begins with a reference is complete once that is resolved.
  return isAbsolute(path) || path.startsWith('${') ? path : resolve(folder, path);
}
