// Loaded into a command that a test runs: its servers hold canaries, and what it logs and writes is searched.
import { register } from 'node:module';
import { Watch } from './sightings.mjs';

register('./seam-hooks.mjs', import.meta.url);

const watch = new Watch();
for (const name of ['stdout', 'stderr']) {
  const stream = process[name];
  const write = stream.write.bind(stream);
  stream.write = (...args) => {
    watch.search(`${name} of a command`, args[0]);
    return write(...args);
  };
}
