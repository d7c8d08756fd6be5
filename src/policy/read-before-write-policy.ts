import { posix } from 'node:path';
import type { ToolCall } from '../call/tool-call.ts';
import type { ToolResult } from '../call/tool-result.ts';
import { Filesystem } from '../session/filesystem.ts';
import { defineSlice } from '../session/slice.ts';
import type { Slice } from '../session/slice.ts';
import { ALLOW, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import { parseToolPatterns } from './parse-tool-pattern.ts';
import { scopeKey } from './policy-reach.ts';
import { matchesCall } from './tool-pattern.ts';
import type { ToolPattern } from './tool-pattern.ts';
import type { PolicyContext, ToolPolicy } from './tool-policy.ts';

export interface ReadBeforeWriteOptions {
  readonly name?: string;
  /** Tools that show a file; `read_file` and `read_text_file` unless said. */
  readonly read?: readonly string[];
  /** Tools that change a file; `write_file` and `edit_file` unless said. */
  readonly write?: readonly string[];
  /** Which arguments name the file; `path` and `file_path` unless said. */
  readonly pathArguments?: readonly string[];
  /** Whether there is a file to lose; unless said, the session's filesystem knows, or every file is taken to exist. */
  readonly exists?: FileExists;
}

export type FileExists = (path: string, context: PolicyContext) => boolean | Promise<boolean>;

/** A file must be read, or written by the session itself, before it is overwritten. */
export class ReadBeforeWritePolicy implements ToolPolicy {
  readonly name: string;
  readonly #read: readonly ToolPattern[];
  readonly #write: readonly ToolPattern[];
  readonly #pathArguments: readonly string[];
  readonly #exists: FileExists;
  readonly #known: Slice<KnownFile>;

  constructor(options: ReadBeforeWriteOptions = {}) {
    this.name = options.name ?? 'read-before-write';
    this.#read = parseToolPatterns(options.read ?? ['read_file', 'read_text_file']);
    this.#write = parseToolPatterns(options.write ?? ['write_file', 'edit_file']);
    this.#pathArguments = options.pathArguments ?? ['path', 'file_path'];
    this.#exists = options.exists ?? existsInSession;
    this.#known = defineSlice({ name: `policy/${this.name}` });
    Object.freeze(this);
  }

  check(call: ToolCall, context: PolicyContext): Decision | Promise<Decision> {
    if (!isOneOf(this.#write, call, context)) return ALLOW;
    const unread = this.#pathsOf(call)
      .flat()
      .filter((path) => !this.#isKnown(path, context));
    return unread.length === 0 ? ALLOW : this.#denyExisting(unread, context);
  }

  onResult(call: ToolCall, result: ToolResult, context: PolicyContext): void {
    if (!result.success) return;
    const isWrite = isOneOf(this.#write, call, context);
    if (!isWrite && !isOneOf(this.#read, call, context)) return;
    const paths = this.#pathsOf(call);
    // With two arguments that may name the file nobody knows which of them the tool has read.
    if (!isWrite && paths.length > 1) return;
    for (const path of paths.flat()) this.#remember(path, context);
  }

  #denyExisting(paths: readonly string[], context: PolicyContext): Decision | Promise<Decision> {
    const answers = paths.map((path) => this.#exists(normalise(path), context));
    const denyFirst = (exist: readonly boolean[]): Decision => {
      const path = paths.find((_, index) => exist[index] !== false);
      return path === undefined ? ALLOW : deny(`File '${path}' must be read before overwriting.`);
    };
    const known = answers.filter((answer) => typeof answer === 'boolean');
    return known.length === answers.length
      ? denyFirst(known)
      : Promise.all(answers.map(async (answer) => answer)).then(denyFirst);
  }

  /** What each of the path arguments names; a list of paths names several files. */
  #pathsOf(call: ToolCall): readonly (readonly string[])[] {
    const named = this.#pathArguments
      .filter((name) => Object.hasOwn(call.arguments, name))
      .map((name) => [call.arguments[name]].flat().filter((path) => typeof path === 'string'));
    return named.filter((paths) => paths.length > 0);
  }

  #isKnown(path: string, { scope, session }: PolicyContext): boolean {
    const isSame = sameFile({ scope: scopeKey(scope), path: normalise(path) });
    return session.slice(this.#known).where(isSame).length > 0;
  }

  #remember(path: string, context: PolicyContext): void {
    if (this.#isKnown(path, context)) return;
    const file = { scope: scopeKey(context.scope), path: normalise(path) };
    context.session.slice(this.#known).upsert(file, sameFile(file));
  }
}

/** A file whose contents the session has seen or made, for a policy that stands at one place. */
interface KnownFile {
  readonly scope: string;
  readonly path: string;
}

function sameFile(file: KnownFile): (other: KnownFile) => boolean {
  return ({ scope, path }) => scope === file.scope && path === file.path;
}

function isOneOf(patterns: readonly ToolPattern[], call: ToolCall, { scope }: PolicyContext): boolean {
  return patterns.some((pattern) => matchesCall(pattern, call, scope));
}

function normalise(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function existsInSession(path: string, { resources }: PolicyContext): boolean | Promise<boolean> {
  const filesystem = resources.get(Filesystem);
  // A path that the filesystem does not know how to read may still be a file to the tool.
  return filesystem?.exists(path).catch(() => true) ?? true;
}
