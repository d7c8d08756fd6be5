/** A table in Markdown whose columns line up in a terminal too; all but the first are numbers. */
export function renderTable(columns, rows) {
  const widths = columns.map((column, index) => Math.max(column.length, ...rows.map((row) => row[index].length)));
  const line = (cells) => `| ${cells.map((cell, index) => pad(cell, widths[index], index)).join(' | ')} |`;
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns), line(rule), ...rows.map(line)].join('\n');
}

function pad(cell, width, index) {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width);
}
