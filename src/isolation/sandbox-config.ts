import { normalize } from 'node:path/posix';
import { McpError } from '../errors.ts';
import type { IsolationMode } from './isolation-mode.ts';

export interface SandboxFields {
  /** True, unless said otherwise, means that the server does not start without its sandbox. */
  readonly enabled?: boolean;
  /** `preferred` starts the server also where there is no sandbox to be had, and says so. */
  readonly mode?: IsolationMode;
  /** Files and folders that the server may read, beside its own program. */
  readonly readablePaths?: readonly string[];
  /** Files and folders that it may also change. */
  readonly writablePaths?: readonly string[];
}

/** What a server may see and change of the files of this machine: nothing but what is listed, and its own program. */
export class SandboxConfig {
  readonly mode: IsolationMode;
  readonly readablePaths: readonly string[];
  readonly writablePaths: readonly string[];

  constructor(fields: SandboxFields = {}) {
    const { enabled, mode } = fields;
    if (enabled !== undefined && mode !== undefined && enabled !== (mode !== 'off'))
      throw invalid(`enabled: ${enabled} contradicts mode: ${mode}; say only one of them`);
    this.mode = mode ?? (enabled === false ? 'off' : 'required');
    this.readablePaths = requirePaths('readablePaths', fields.readablePaths);
    this.writablePaths = requirePaths('writablePaths', fields.writablePaths);
    Object.freeze(this);
  }

  get enabled(): boolean {
    return this.mode !== 'off';
  }

  /** The same with every path replaced. */
  withPaths(replace: (path: string) => string): SandboxConfig {
    const { mode, readablePaths, writablePaths } = this;
    return new SandboxConfig({
      mode,
      readablePaths: readablePaths.map(replace),
      writablePaths: writablePaths.map(replace),
    });
  }
}

/** What is wrong with a path that is to be opened; undefined if nothing is. */
export function pathMistake(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'which is no path';
  const whole = normalize(path);
  if (/^\/+$/.test(whole)) return 'which is everything; name what is needed, or leave it off';
  if (/^\/+proc(?:\/|$)/.test(whole)) return 'where every process shows its secrets; a sandbox has a /proc of its own';
  return undefined;
}

function requirePaths(field: string, paths: readonly string[] = []): readonly string[] {
  for (const path of paths) {
    const mistake = pathMistake(path);
    if (mistake !== undefined) throw invalid(`${field} holds '${path}', ${mistake}`);
  }
  return Object.freeze([...paths]);
}

function invalid(message: string): McpError {
  return new McpError('SERVER_INVALID', `sandbox: ${message}`);
}
