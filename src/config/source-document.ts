import { formatField } from './config-problem.ts';
import type {
  ConfigPlace,
  ConfigProblem,
  ConfigWarning,
  FieldPart,
  FieldPath,
  FieldProblem,
  FieldWarning,
} from './config-problem.ts';

/** A parsed file that still knows where each value stands in its text. */
export interface SourceDocument {
  readonly file: string;
  /** Plain data; undefined when the text could not be parsed. */
  readonly value: unknown;
  /** Mistakes of syntax. */
  readonly problems: readonly ConfigProblem[];
  /** Where a value or its key begins; the nearest place around it when it is not there. */
  locate(path: FieldPath, part: FieldPart): Position;
}

/** A place in a text; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Says where in its file a mistake stands. */
export function locateProblem(document: SourceDocument, problem: FieldProblem): ConfigProblem {
  const { path, part, found, expected } = problem;
  return { ...placeOf(document, path, part), found, expected };
}

/** Says where in its file the field of a warning stands. */
export function locateWarning(document: SourceDocument, warning: FieldWarning): ConfigWarning {
  return { ...placeOf(document, warning.path, 'key'), message: warning.message };
}

/** The line and column of an offset in a text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}

function placeOf(document: SourceDocument, path: FieldPath, part: FieldPart): ConfigPlace {
  return { file: document.file, ...document.locate(path, part), field: formatField(path) };
}
