/** Says whether a text is the one that is meant. */
export type Glob = (text: string) => boolean;

/** A glob from the texts between its stars; each star stands for any run of characters. Reads a text once. */
export function compileGlob(parts: readonly string[]): Glob {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return (text) => text === first;
  const last = rest.at(-1) ?? '';
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  const shortest = first.length + last.length;
  return (text) => {
    if (text.length < shortest || !text.startsWith(first) || !text.endsWith(last)) return false;
    return areInOrder(middle, text.slice(first.length, text.length - last.length));
  };
}

/** The leftmost place of each part leaves the most room for the next, so nothing has to be tried twice. */
function areInOrder(parts: readonly string[], text: string): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}
