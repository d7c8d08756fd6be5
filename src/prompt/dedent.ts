/** Takes away the indentation that all lines share; lines of nothing but space become empty. */
export function dedent(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let margin: string | undefined;
  for (const line of lines) {
    const indentation = indentationOf(line);
    if (indentation.length < line.length) margin = margin === undefined ? indentation : shared(margin, indentation);
  }
  const width = margin?.length ?? 0;
  return lines.map((line) => (indentationOf(line).length === line.length ? '' : line.slice(width))).join('\n');
}

function indentationOf(line: string): string {
  let length = 0;
  while (line[length] === ' ' || line[length] === '\t') length += 1;
  return line.slice(0, length);
}

function shared(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return left.slice(0, length);
}
