import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for what one server under isolation needs, beside those of the hub's other servers and of nothing else. */
export async function makeBoxFolder(hubId: string): Promise<string> {
  const folder = join(await realpath(tmpdir()), nameOf(hubId));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return mkdtemp(join(folder, 'box-'));
}

/** Removes the folders of a hub that is no more. */
export function removeBoxFolders(hubId: string): void {
  rmSync(join(tmpdir(), nameOf(hubId)), { recursive: true, force: true });
}

/** Only as much of the id as nobody can guess: the address of a socket in such a folder may have 107 bytes. */
function nameOf(hubId: string): string {
  return `fairlead-${hubId.slice(0, 18)}`;
}
