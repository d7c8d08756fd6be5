import { fileURLToPath } from 'node:url';

/** How the tiny server is started. */
export const TINY = { command: process.execPath, args: [fileURLToPath(new URL('server.mjs', import.meta.url))] };

/** Many of them, each with an argument of its own, so that no two are the same server. */
export function manyTiny(count, toolsEach = 1) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tiny-${index + 1}`,
    command: TINY.command,
    args: [...TINY.args, String(index + 1), String(toolsEach)],
  }));
}
