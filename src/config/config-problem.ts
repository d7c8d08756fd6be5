/** Where a value stands in a config file, from the root inwards. */
export type FieldPath = readonly (string | number)[];

/** Whether a mistake is about a key itself or about what stands under it. */
export type FieldPart = 'key' | 'value';

/** A mistake, before it is known where in which file it stands. */
export interface FieldProblem {
  readonly path: FieldPath;
  readonly part: FieldPart;
  readonly found: string;
  readonly expected: string;
}

/** Something that works, though perhaps not as its author meant it. */
export interface FieldWarning {
  readonly path: FieldPath;
  readonly message: string;
}

/** Where a mistake stands: absent for values that come from no file. */
export interface ConfigPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The field's path, such as `servers.search.args[0]`; empty for the whole file. */
  readonly field: string;
}

/** A mistake in a config file. */
export interface ConfigProblem extends ConfigPlace {
  readonly found: string;
  readonly expected: string;
}

export interface ConfigWarning extends ConfigPlace {
  readonly message: string;
}

/** `file:line:column field: found …, expected …`. */
export function formatProblem(problem: ConfigProblem): string {
  return `${formatPlace(problem)}found ${problem.found}, expected ${problem.expected}`;
}

/** `file:line:column field: message`. */
export function formatWarning(warning: ConfigWarning): string {
  return `${formatPlace(warning)}${warning.message}`;
}

/** A path as it would be written in code, such as `servers.search.args[0]`. */
export function formatField(path: FieldPath): string {
  return path.map((step, index) => formatStep(step, index === 0)).join('');
}

function formatStep(step: string | number, isFirst: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  if (!/^[\w$-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
  return isFirst ? step : `.${step}`;
}

function formatPlace(place: ConfigPlace): string {
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const words = [position, place.field].filter((word) => word !== '');
  return words.length === 0 ? '' : `${words.join(' ')}: `;
}
