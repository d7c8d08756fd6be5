const COLUMNS = [
  ['server', (row) => row.name],
  ['version', (row) => row.version],
  ['state', (row) => row.state],
  ['era', (row) => row.era ?? ''],
  ['protocol', (row) => row.protocolVersion ?? ''],
  ['tools', (row) => row.tools ?? ''],
  ['quarantined', (row) => row.quarantined?.length ?? ''],
  ['resources', (row) => countOf(row.resources)],
  ['prompts', (row) => countOf(row.prompts)],
  ['call', (row) => (row.call ? `${row.call.tool}: ${row.call.outcome}` : '')],
  ['result', (row) => (row.result === 'failed' ? `failed, fault: ${row.fault}` : row.result)],
];

/** The table as aligned text. */
export function renderText(rows) {
  const lines = cells(rows);
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What the table has no room for: one line for each thing worth knowing about a server. */
export function renderNotes(rows) {
  return rows.flatMap((row) => notesOf(row).map((note) => `${row.name}: ${note}`));
}

/** How many passed and failed, and how many said for themselves that they cannot run here. */
export function renderSummary({ rows, left }) {
  const count = (result) => rows.filter((row) => row.result === result).length;
  const sum = (read) => rows.reduce((total, row) => total + (read(row) ?? 0), 0);
  const called = rows.filter((row) => row.call).length;
  return [
    `${sum((row) => row.tools)} tools, ${sum((row) => row.quarantined?.length)} quarantined; ` +
      `${sum((row) => row.resources?.count)} resources and templates, ${sum((row) => row.prompts?.count)} prompts; ${called} calls`,
    `${count('refused')} refused to start, as the list expects, and the reason shown is their own`,
    left.length === 0 ? 'No process was left.' : `Left behind: processes ${left.join(', ')}`,
    `${count('passed')} passed, ${count('failed')} failed`,
  ];
}

/** The page that is kept: when, with what, the table and the notes. */
export function renderPage(report) {
  const [head, ...body] = cells(report.rows).map((line) => `| ${line.map(escape).join(' | ')} |`);
  const rule = `|${'---|'.repeat(COLUMNS.length)}`;
  const notes = renderNotes(report.rows).map((note) => `- ${escape(note)}`);
  const [passed] = renderSummary(report).slice(-1);
  return `${[
    '# Public servers',
    '',
    'Written by `npm run servers`; do not edit.',
    '',
    `${report.date}, Fairlead ${report.fairlead}, Node ${report.node}, ${report.platform}: **${passed}**.`,
    ...renderSummary(report)
      .slice(0, -1)
      .map((line) => `${line.replace(/\.$/, '')}.`),
    '',
    head,
    rule,
    ...body,
    '',
    '## Notes',
    '',
    ...(notes.length > 0 ? notes : ['None.']),
  ].join('\n')}\n`;
}

function cells(rows) {
  return [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, read]) => oneLine(read(row))))];
}

function countOf(list) {
  if (list === undefined) return '';
  return list.error === undefined ? list.count : 'refused';
}

function notesOf(row) {
  return [
    ...row.reasons,
    ...(row.note === undefined ? [] : [row.note]),
    ...(row.quarantined ?? []).map((reason) => `quarantined ${reason}`),
    ...['resources', 'prompts'].flatMap((list) => refusalOf(row, row[list])),
    ...(row.call?.note === undefined ? [] : [`${row.call.tool}: ${row.call.note}`]),
    ...(row.droppedMessages > 0 ? [`messages dropped: ${row.droppedMessages}`] : []),
  ].map((note) => cut(oneLine(note)));
}

function refusalOf({ name }, list) {
  return list?.error === undefined ? [] : [list.error.replace(`${name}: `, '')];
}

function oneLine(value) {
  return String(value).replaceAll(/\s+/g, ' ').trim();
}

function cut(text) {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function escape(text) {
  return text.replaceAll('|', String.raw`\|`);
}
