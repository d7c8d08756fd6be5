import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for what one server under isolation needs. */
export function makeBoxFolder(hubId: string): Promise<string> {
  return mkdtemp(join(tmpdir(), prefixOf(hubId)));
}

/** Removes the folders of a hub that is no more. */
export function removeBoxFolders(hubId: string): void {
  for (const name of readdirSync(tmpdir())) {
    if (name.startsWith(prefixOf(hubId))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

/** Only the beginning of the id: the address of a socket in such a folder may have 107 bytes. */
function prefixOf(hubId: string): string {
  return `fairlead-box-${hubId.slice(0, 8)}-`;
}
