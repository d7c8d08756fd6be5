import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from './child.mjs';
import { hashOf, root, SetUpError } from './project.mjs';
import { step } from './step.mjs';

/** Installs what only one command needs, in a folder with a manifest and a lockfile of its own, when it is first needed. */
export async function ensureFolderInstalled(folder) {
  const path = join(root, folder);
  const stamp = join(path, 'node_modules/.installed');
  const wanted = hashOf([readFileSync(join(path, 'package-lock.json'), 'utf8'), process.platform, process.arch]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await step(`Install what ${folder} needs`, async () => {
    const { status, output } = await runNpm(['ci', '--prefix', path, '--ignore-scripts', '--no-audit', '--no-fund']);
    if (status !== 0)
      throw new SetUpError(`npm could not install ${folder}:\n${output.split('\n').slice(-15).join('\n')}`);
  });
  writeFileSync(stamp, wanted);
}
