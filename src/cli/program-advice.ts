import { basename } from 'node:path';

const PROGRAMS: Readonly<Record<string, string>> = {
  npx: 'npx comes with Node.js: install Node.js, or start fairlead from a shell that finds it.',
  node: 'Install Node.js, or start fairlead from a shell that finds it.',
  uvx: 'uvx comes with uv, a Python package manager: install uv.',
  uv: 'Install uv, a Python package manager.',
  python: 'Install Python; on many systems the command is python3.',
  python3: 'Install Python.',
  pipx: 'Install pipx.',
  docker: 'Install Docker, and start it.',
  podman: 'Install Podman.',
  deno: 'Install Deno.',
  bunx: 'bunx comes with Bun: install Bun.',
  bun: 'Install Bun.',
};

/** How one gets a program that is not there. */
export function programAdvice(command: string): string {
  if (/^[^/\s]+\s/.test(command))
    return 'Move all but the program into args: `command: npx` and `args: [-y, some-server]`.';
  const name = basename(command);
  const known = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  return known ?? `Check the spelling of '${command}', and install it if it is missing.`;
}
