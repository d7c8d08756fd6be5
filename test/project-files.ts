import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceFile } from './architecture.ts';

/** The folder of the project. */
export const projectRoot: string = fileURLToPath(new URL('..', import.meta.url));

/** Every file under some folders of the project, by its path from the root. */
export function pathsUnder(...folders: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectRoot.length).split(sep).join('/'))
    .toSorted();
}

/** The files that a path matches, with their text. */
export function readFiles(paths: readonly string[]): readonly SourceFile[] {
  return paths.map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }));
}

/** One JSON file of the project. */
export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
}
