import { dedent } from './dedent.ts';

/** A text with `$name` and `${name}` in it, read once; `$$` is a dollar sign. */
export interface TemplateText {
  /** As it was written. */
  readonly source: string;
  readonly names: ReadonlySet<string>;
  /** Puts the values in; `missing` is told the name of one that is not there: it throws, or gives another. */
  render(values: object, missing: Missing): string;
}

type Missing = (name: string) => unknown;

/** Reads a template: indentation that all lines share and space around it are not part of the text. */
export function compileTemplate(source: string): TemplateText {
  const pieces = parse(dedent(source).trim());
  const names = new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])));
  if (names.size === 0) {
    const text = fill(pieces, {}, () => undefined);
    return { source, names, render: () => text };
  }
  return { source, names, render: (values, missing) => fill(pieces, values, missing) };
}

type Piece = string | { readonly name: string };

// Sticky, so that it looks at one place and never searches.
const PLACEHOLDER = /\$(?:\$|([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/y;

/** A dollar sign that begins no placeholder stays as it is, such as a price. */
function parse(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', at)) {
    PLACEHOLDER.lastIndex = at;
    const found = PLACEHOLDER.exec(text);
    if (!found) {
      at += 1;
      continue;
    }
    const name = found[1] ?? found[2];
    pieces.push(text.slice(from, at), name === undefined ? '$' : { name });
    at += found[0].length;
    from = at;
  }
  return [...pieces, text.slice(from)];
}

function fill(pieces: readonly Piece[], values: object, missing: Missing): string {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : toText(valueOf(values, piece.name, missing));
  return text.trim();
}

function valueOf(values: object, name: string, missing: Missing): unknown {
  const value = Object.hasOwn(values, name) ? (values as Readonly<Record<string, unknown>>)[name] : undefined;
  return value === undefined ? missing(name) : value;
}

function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
