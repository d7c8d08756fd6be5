// A value in quotes may go over several lines; without quotes it ends at the line's end or at ` #`.
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*("(?:\\[^]|[^"\\])*"|'[^']*'|`[^`]*`|[^\n]*?)[ \t]*(?:(?<=\s|["'`=])#[^\n]*)?$/gm;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Reads the text of a `.env` file; lines that assign nothing are passed over, and the last value of a name counts. */
export function parseDotenv(text: string): ReadonlyMap<string, string> {
  const lines = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  return new Map([...lines.matchAll(ASSIGNMENT)].map(([, name = '', value = '']) => [name, unquote(value)]));
}

function unquote(value: string): string {
  if (!/^(?:"(?:\\[^]|[^"\\])*"|'[^']*'|`[^`]*`)$/.test(value)) return value;
  const inside = value.slice(1, -1);
  return value.startsWith('"') ? inside.replaceAll(/\\([^])/g, unescape) : inside;
}

function unescape(whole: string, letter: string): string {
  const escaped = ESCAPES.get(letter);
  if (escaped !== undefined) return escaped;
  return letter === '"' || letter === '\\' || letter === '$' ? letter : whole;
}
