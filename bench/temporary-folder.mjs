import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the work a folder that is gone afterwards. */
export async function withFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
