/** What in fact holds a running server that is under isolation. */
export interface Confinement {
  /** `confined`: it sees its own program and what is listed, and nothing else. */
  readonly files: 'confined' | 'open';
  /** The hosts that it can reach, or that nothing holds it back. */
  readonly network: 'open' | readonly string[];
  /** Why it runs without the sandbox that it should have had. */
  readonly missing?: string;
}

/** An attempt of a server to reach what its network policy does not allow. */
export interface DeniedEgress {
  /** Host and port. */
  readonly target: string;
  readonly reason: string;
}
