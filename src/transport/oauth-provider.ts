import { randomUUID } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../config/server-transport.ts';
import { NO_GRANTS } from './token-store.ts';
import type { Credentials, Grants, TokenStore } from './token-store.ts';

export interface ProviderOptions {
  /** The protected server and the principal, as the store knows them. */
  readonly key: string;
  readonly store: TokenStore;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string | undefined;
  readonly settings: OAuthSettings;
  readonly hide: (secret: string) => void;
}

/** The login was asked for in a way that must not be followed. */
export class UnsafeLoginError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnsafeLoginError';
  }
}

/** Our side of an OAuth login at one server: what is stored by issuer, and the one login that is under way. */
export class OAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: ProviderOptions;
  #verifier = '';
  #state = '';
  #discovery: OAuthDiscoveryState | undefined;
  #pendingUrl: URL | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.#options.settings;
    return {
      client_name: 'Fairlead',
      redirect_uris: [this.#options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      ...(scopes && { scope: scopes.join(' ') }),
    };
  }

  /** Where the user must go, if a login is waiting for him. */
  get pendingUrl(): URL | undefined {
    return this.#pendingUrl;
  }

  state(): string {
    this.#state = randomUUID();
    return this.#state;
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.#options.settings;
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    const { client } = await this.#credentials(context?.issuer);
    this.#hide(client?.client_secret);
    return client;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    this.#hide(client.client_secret);
    await this.#update(context?.issuer ?? client.issuer, { client });
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const { tokens } = await this.#credentials(context?.issuer);
    this.#hideTokens(tokens);
    return tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    this.#hideTokens(tokens);
    await this.#update(context?.issuer ?? tokens.issuer, { tokens });
    this.#pendingUrl = undefined;
    this.#discovery = undefined;
  }

  redirectToAuthorization(url: URL): void {
    if (!isSafeToOpen(url))
      throw new UnsafeLoginError(
        `the login page has the address ${url.protocol}//…, which is neither https nor this machine`,
      );
    const metadata = this.#discovery?.authorizationServerMetadata;
    if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) {
      throw new UnsafeLoginError('the authorization server does not say that it supports PKCE with S256');
    }
    this.#pendingUrl = url;
  }

  /** Nobody waits for the login page any more. */
  endLogin(): void {
    this.#pendingUrl = undefined;
  }

  saveCodeVerifier(verifier: string): void {
    this.#hide(verifier);
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  // Outside a login what was discovered before must be looked up again: the server may have moved to another issuer.
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#pendingUrl ? this.#discovery : undefined;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
    if (scope === 'all' || scope === 'verifier') this.#verifier = '';
    const grants = await this.#grants();
    const { current } = grants;
    if (current === undefined || scope === 'verifier' || scope === 'discovery') return;
    const { tokens, client } = grants.byIssuer[current] ?? {};
    const kept: Credentials = {
      ...(scope === 'client' && tokens && { tokens }),
      ...(scope === 'tokens' && client && { client }),
    };
    await this.#options.store.save(this.#options.key, { ...grants, byIssuer: { ...grants.byIssuer, [current]: kept } });
  }

  /** What came back from the login page, if it belongs to the login that was begun. */
  requireOwnState(callback: URLSearchParams): void {
    this.#hide(callback.get('code'));
    if (callback.get('state') !== this.#state)
      throw new UnsafeLoginError('the answer of the login page belongs to another login');
  }

  #hideTokens(tokens: StoredOAuthTokens | undefined): void {
    this.#hide(tokens?.access_token, tokens?.refresh_token, tokens?.id_token);
  }

  #hide(...secrets: readonly (string | null | undefined)[]): void {
    for (const secret of secrets) if (typeof secret === 'string') this.#options.hide(secret);
  }

  async #credentials(issuer: string | undefined): Promise<Credentials> {
    const grants = await this.#grants();
    return grants.byIssuer[issuer ?? grants.current ?? ''] ?? {};
  }

  async #update(issuer = '', change: Credentials = {}): Promise<void> {
    const grants = await this.#grants();
    const credentials = { ...grants.byIssuer[issuer], ...change };
    const current = change.tokens ? issuer : grants.current;
    const next: Grants = {
      ...(current !== undefined && { current }),
      byIssuer: { ...grants.byIssuer, [issuer]: credentials },
    };
    await this.#options.store.save(this.#options.key, next);
  }

  async #grants(): Promise<Grants> {
    return (await this.#options.store.load(this.#options.key)) ?? NO_GRANTS;
  }
}

/** Only a page on the web, or on this machine, may be opened for a login. */
function isSafeToOpen(url: URL): boolean {
  if (/[^\w.:[\]-]/.test(url.host)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/** Whether a host name is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
