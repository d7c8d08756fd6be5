import { systemClock } from '../clock.ts';
import { removeBoxFolders } from './box-folder.ts';
import { signalGroup } from './process-group.ts';
import { killTree } from './process-tree.ts';

const [mark = '', ...known] = process.argv.slice(2);
const leaders = new Set(known.map(Number));
let unread = '';

// Whoever stops the hub with a signal stops this process only by the hub's end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

process.stdin.setEncoding('latin1');
process.stdin.on('data', (text: string) => {
  const lines = `${unread}${text}`.split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) obey(line);
});
process.stdin.on('error', () => process.stdin.destroy());
process.stdin.once('close', () => void killAll());

function obey(line: string): void {
  const [order, pid] = line.split(' ');
  if (order === 'add') leaders.add(Number(pid));
  if (order === 'remove') leaders.delete(Number(pid));
  if (order === 'leave') process.exit();
}

async function killAll(): Promise<void> {
  // Groups first: that needs no look at /proc, and gets most of them.
  for (const leader of leaders) signalGroup(leader, 'SIGKILL');
  await killTree({ leaders: [...leaders], mark }, systemClock);
  removeBoxFolders(mark);
  process.exit();
}
