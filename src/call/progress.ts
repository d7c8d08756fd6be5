/** How far a running call has come, as its server reports it. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}
