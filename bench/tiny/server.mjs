// The tiny server over stdio, by hand: of what a bench measures, as little as possible is the server's.
import { answerTo } from './answers.mjs';

// The first argument only tells one server from another.
const toolCount = Number(process.argv[3] ?? 1);
let held = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = `${held}${String(text)}`.split('\n');
  held = lines.pop();
  let output = '';
  for (const line of lines) {
    const answer = answerTo(JSON.parse(line), toolCount);
    if (answer) output += `${JSON.stringify(answer)}\n`;
  }
  if (output !== '') process.stdout.write(output);
});
