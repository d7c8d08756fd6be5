// Loaded before a program, this notes every process that it starts.
import { ChildProcess } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';

const log = process.env.PROCESS_LOG;
const { spawn } = ChildProcess.prototype;

writeFileSync(log, '');
ChildProcess.prototype.spawn = function spawnCounted(options) {
  appendFileSync(log, `${options.file}\n`);
  return spawn.call(this, options);
};
