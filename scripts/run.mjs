// Every npm script enters here. This file stays plain, so that a Node too old for the rest can still say so.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

if (isOlder(process.versions.node, engines.node)) {
  console.error(
    `Fairlead needs Node ${engines.node}, but this is Node ${process.versions.node} (${process.execPath}).`,
  );
  console.error('Install a newer Node, or switch to one with your version manager, and run the command again.');
  process.exitCode = 1;
} else {
  const { main } = await import('./commands.mjs');
  await main(process.argv.slice(2));
}

function isOlder(found, range) {
  const parts = (text) => text.match(/\d+/g).map(Number);
  const [foundMajor, foundMinor = 0] = parts(found);
  const [neededMajor, neededMinor = 0] = parts(range);
  return foundMajor < neededMajor || (foundMajor === neededMajor && foundMinor < neededMinor);
}
