import { McpError } from '../errors.ts';
import { formatProblem } from './config-problem.ts';
import type { ConfigProblem } from './config-problem.ts';

/** A config that cannot be used, with every mistake that was found in it. */
export class ConfigError extends McpError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], options: { readonly server?: string } = {}) {
    super('CONFIG_INVALID', problems.map(formatProblem).join('\n'), options);
    this.problems = Object.freeze([...problems]);
  }
}
