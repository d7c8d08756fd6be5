/** What a policy says about a call. */
export type Decision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string };

export const ALLOW: Decision = Object.freeze({ kind: 'allow' });

export function deny(reason: string): Decision {
  return { kind: 'deny', reason };
}

export function ask(reason: string): Decision {
  return { kind: 'ask', reason };
}
