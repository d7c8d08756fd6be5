// How the text of a thrown error begins in Node and Python, and what npm says when it fails.
const HEAD = /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b[^:]*: |^npm (?:error|ERR!) code /;
// What follows such a text: frames of the stack, fields of the error, the version of Node, a prefix without text.
const NOISE = /^\s+at |^\s+(?:\w+: .*|\[.*),?$|^[{}]$|^Node\.js v\d|^npm (?:error|ERR!) \w+$/;

/** The lines of stderr that tell why a process ended: from its last error on, else the last ones. */
export function tellingLines(stderr: string, count: number): readonly string[] {
  const lines = stderr
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const head = lines.findLastIndex((line) => HEAD.test(line));
  if (head === -1) return lines.slice(-count);
  const [first = '', ...rest] = lines.slice(head);
  return [first, ...rest.filter((line) => !NOISE.test(line))].slice(0, count);
}
