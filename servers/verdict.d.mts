/** A server of the list, as far as it is judged. */
export interface ListedServer {
  readonly tools?: number;
  readonly era?: string;
  readonly call?: { readonly tool: string; readonly outcome: string };
  readonly refuses?: { readonly code: string; readonly says: string };
}

/** What a run has shown about one server. */
export interface SeenServer {
  readonly state: string;
  readonly era?: string;
  readonly errorCode?: string;
  readonly error?: string;
  readonly stderr?: string;
  readonly tools?: number;
  readonly quarantined?: readonly string[];
  readonly resources?: SeenList;
  readonly prompts?: SeenList;
  readonly call?: { readonly outcome: string; readonly message: string };
}

export type SeenList = { readonly count: number } | { readonly error: string; readonly errorCode: string };

export interface Verdict {
  readonly result: 'passed' | 'refused' | 'failed';
  readonly fault?: 'ours' | 'its own';
  readonly reasons: readonly string[];
}

export declare function judge(entry: ListedServer, seen: SeenServer): Verdict;
