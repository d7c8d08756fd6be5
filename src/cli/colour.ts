/** Puts a text into a colour or a weight, or leaves it as it is. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

export interface ColourCircumstances {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly noColor: boolean;
}

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** Whether colours may be written; see no-color.org and force-color.org. */
export function mayColour({ isTerminal, env, noColor }: ColourCircumstances): boolean {
  if (noColor) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return false;
  return isTerminal;
}

export function createPaint(isOn: boolean): Paint {
  const style = (name: Style): ((text: string) => string) => {
    const [start, end] = CODES[name];
    return (text) => (isOn && text !== '' ? `\u001B[${start}m${text}\u001B[${end}m` : text);
  };
  return {
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    cyan: style('cyan'),
    dim: style('dim'),
    bold: style('bold'),
  };
}
