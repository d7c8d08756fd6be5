import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SourceFile } from './architecture.ts';
import { projectRoot } from './project-files.ts';

/** Something of the machine it was written on that must not be in a file of the project. */
export interface Trace {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Where packages come from is a setting of each machine. */
export const REGISTRY_HOSTS: readonly Trace[] = [
  {
    name: 'an npm registry',
    pattern: /(?<![\w.#$])registry\.[\w-]+\.(?:org|com|io|dev)\b|\bnpm\.pkg\.github\.com\b|\bjsr\.io\b/i,
  },
  { name: 'a Python registry', pattern: /\bpypi\.org\b|\bfiles\.pythonhosted\.org\b/i },
  { name: 'a package proxy', pattern: /\b[\w.-]+\.jfrog\.io\b|\bpkgs\.dev\.azure\.com\b|\/artifactory\/api\//i },
];

// Names that examples and tests may give to somebody's home.
const INVENTED = 'ada|you|user|example';

/** Home folders as they look on any machine. */
export const HOME_FOLDERS: readonly Trace[] = [
  {
    name: 'a home folder',
    pattern: new RegExp(String.raw`(?<![\w.}-])/(?:home|Users)/(?!(?:${INVENTED})\b)\w[\w.-]*/`),
  },
  { name: 'a Windows home folder', pattern: new RegExp(String.raw`\b[A-Z]:\\+Users\\+(?!(?:${INVENTED})\b)\w`, 'i') },
];

/** The home of this machine, and what lies beside the checkout on it. */
export function tracesOfThisMachine(): readonly Trace[] {
  const parent = dirname(projectRoot.replace(/[/\\]$/, ''));
  const neighbours = readdirSync(parent).map((name) => join(parent, name));
  return [
    ...neighbours.map((path) => folderTrace(`${escape(path)}(?![\\w.-])`)),
    // A bare `/root` is on every machine; what lies in it is not.
    ...(homedir().length > 1 ? [folderTrace(String.raw`${escape(homedir())}[/\\]\w`)] : []),
  ];
}

function folderTrace(path: string): Trace {
  return { name: 'a folder of this machine', pattern: new RegExp(String.raw`(?<![\w.}-])${path}`) };
}

/** One line for each trace in a file, without repeating it. */
export function tracesIn(file: SourceFile, traces: readonly Trace[]): readonly string[] {
  // Nearly every file has none: lines are looked at only where there is something to place.
  const found = traces.filter(({ pattern }) => pattern.test(file.text));
  if (found.length === 0) return [];
  return file.text
    .split('\n')
    .flatMap((line, index) =>
      found.filter(({ pattern }) => pattern.test(line)).map(({ name }) => `${file.path}:${index + 1} names ${name}`),
    );
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
