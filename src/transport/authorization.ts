/* oxlint-disable typescript/no-deprecated -- the issuer is passed on wherever it is declared */
import type * as SdkModule from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { OAuthSettings } from '../config/server-transport.ts';
import { OAuthProvider } from './oauth-provider.ts';
import { createMemoryTokenStore } from './token-store.ts';
import type { TokenStore } from './token-store.ts';

/** How a hub logs in to servers that ask for it. */
export interface AuthorizationOptions {
  /** Takes the user to a login page and returns what the page sent back to `redirectUrl`. */
  readonly onRedirect?: (url: URL, context: RedirectContext) => Promise<URLSearchParams>;
  /** Where the login page sends the user afterwards. */
  readonly redirectUrl?: string;
  /** A public page that describes this client, for servers that accept its address as a client id. */
  readonly clientMetadataUrl?: string;
  readonly store?: TokenStore;
}

export interface RedirectContext {
  readonly server: string;
  readonly signal: AbortSignal;
}

/** One server's way to be let in. */
export interface Authorization {
  readonly provider: OAuthClientProvider;
  /** Undefined where no person is needed, or none can be asked. */
  readonly login?: Login;
  readonly isLoginPending?: () => boolean;
}

/** Lets a person log in and passes on what came of it; false when there is nothing to log in to. */
export type Login = (finish: (callback: URLSearchParams) => Promise<void>, signal: AbortSignal) => Promise<boolean>;

export interface AuthorizationRequest {
  readonly server: string;
  readonly url: string;
  readonly principal: string;
  readonly settings: OAuthSettings;
  readonly hide: (secret: string) => void;
}

const DEFAULT_REDIRECT_URL = 'http://127.0.0.1:8976/callback';

/** Makes what each server of a hub is let in by. */
export class Authorizer {
  readonly #options: AuthorizationOptions;
  readonly #store: TokenStore;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#store = options.store ?? createMemoryTokenStore();
  }

  open(request: AuthorizationRequest, sdk: typeof SdkModule): Authorization {
    const { settings } = request;
    if (settings.privateKey !== undefined)
      return { provider: hiding(fromPrivateKey(settings, settings.privateKey, sdk), request.hide) };
    if (settings.grant === 'client_credentials')
      return { provider: hiding(fromClientSecret(settings, sdk), request.hide) };
    const provider = new OAuthProvider({
      key: JSON.stringify([request.principal, request.url]),
      store: this.#store,
      redirectUrl: this.#options.redirectUrl ?? DEFAULT_REDIRECT_URL,
      clientMetadataUrl: this.#options.clientMetadataUrl,
      settings,
      hide: request.hide,
    });
    const { onRedirect } = this.#options;
    if (!onRedirect) return { provider };
    const visit = (url: URL, signal: AbortSignal): Promise<URLSearchParams> =>
      onRedirect(url, { server: request.server, signal });
    return { provider, login: createLogin(provider, visit), isLoginPending: () => provider.pendingUrl !== undefined };
  }
}

/** One login at a time, however many requests are refused for want of it. */
function createLogin(
  provider: OAuthProvider,
  visit: (url: URL, signal: AbortSignal) => Promise<URLSearchParams>,
): Login {
  let underWay: Promise<boolean> | undefined;
  let hasLoggedIn = false;
  const logIn = async (url: URL, ...[finish, signal]: Parameters<Login>): Promise<boolean> => {
    hasLoggedIn = false;
    try {
      const callback = await visit(url, signal);
      provider.requireOwnState(callback);
      await finish(callback);
      hasLoggedIn = true;
      return true;
    } finally {
      provider.endLogin();
      underWay = undefined;
    }
  };
  return async (finish, signal) => {
    const url = provider.pendingUrl;
    // A request that was refused while another one led to a login is worth a second try.
    if (!url) return hasLoggedIn;
    underWay ??= logIn(url, finish, signal);
    return underWay;
  };
}

function fromClientSecret(settings: OAuthSettings, sdk: typeof SdkModule): OAuthClientProvider {
  const { clientId = '', clientSecret = '', scopes, issuer } = settings;
  return new sdk.ClientCredentialsProvider({
    clientId,
    clientSecret,
    clientName: 'Fairlead',
    ...(scopes && { scope: scopes.join(' ') }),
    ...(issuer !== undefined && { expectedIssuer: issuer }),
  });
}

function fromPrivateKey(settings: OAuthSettings, privateKey: string, sdk: typeof SdkModule): OAuthClientProvider {
  const { clientId = '', signingAlgorithm = 'ES256', scopes, issuer } = settings;
  return new sdk.PrivateKeyJwtProvider({
    clientId,
    privateKey,
    algorithm: signingAlgorithm,
    clientName: 'Fairlead',
    ...(scopes && { scope: scopes.join(' ') }),
    ...(issuer !== undefined && { expectedIssuer: issuer }),
  });
}

/** The SDK's own providers tell nobody of the tokens they get. */
function hiding(provider: OAuthClientProvider, hide: (secret: string) => void): OAuthClientProvider {
  const save = provider.saveTokens.bind(provider);
  return Object.assign(provider, {
    saveTokens: (...[tokens, context]: Parameters<OAuthClientProvider['saveTokens']>) => {
      hide(tokens.access_token);
      return save(tokens, context);
    },
  });
}
