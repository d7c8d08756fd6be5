import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';

/** What one authorization server gave us: never shown to another. */
export interface Credentials {
  readonly tokens?: StoredOAuthTokens;
  readonly client?: StoredOAuthClientInformation;
}

/** Everything kept for one protected server and one principal, by the issuer it came from. */
export interface Grants {
  /** The issuer whose tokens were saved last. */
  readonly current?: string;
  readonly byIssuer: Readonly<Record<string, Credentials>>;
}

/** Where tokens live between connections. */
export interface TokenStore {
  load(key: string): Promise<Grants | undefined>;
  save(key: string, grants: Grants): Promise<void>;
}

export const NO_GRANTS: Grants = { byIssuer: {} };

/** Tokens that are gone with the process. */
export function createMemoryTokenStore(): TokenStore {
  const kept = new Map<string, Grants>();
  return {
    load: async (key) => kept.get(key),
    save: async (key, grants) => void kept.set(key, grants),
  };
}
