/** The command line was used wrongly: nothing was done, and the exit status is 2. */
export class UsageError extends Error {
  /** The verb whose usage line helps the reader. */
  readonly verb: string | undefined;

  constructor(message: string, verb?: string) {
    super(message);
    this.name = 'UsageError';
    this.verb = verb;
  }
}
