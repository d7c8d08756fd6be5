import type { InProcessServer } from './in-process-server.ts';

/** How a server is reached: declared data, not a live channel. */
export type ServerTransport = StdioTransport | HttpTransport | SseTransport | SdkTransport | ClaudeAiProxyTransport;

export type TransportKind = ServerTransport['kind'];

/** A child process that speaks over its stdin and stdout. */
export interface StdioTransport {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** True when references count in command and args too, as `.mcp.json` has it. */
  readonly expandsArgs?: true;
}

/** A Streamable HTTP endpoint. */
export interface HttpTransport {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** An endpoint of the older HTTP with Server-Sent Events transport. */
export interface SseTransport {
  readonly kind: 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthSettings;
}

/** A server in this process, given here or registered with the hub under `name`. */
export interface SdkTransport {
  readonly kind: 'sdk';
  readonly name: string;
  readonly instance?: InProcessServer | (() => InProcessServer);
}

/** A claude.ai connector, reached at its url. */
export interface ClaudeAiProxyTransport {
  readonly kind: 'claudeai-proxy';
  readonly url: string;
  readonly id: string;
}

/** The fields of OAuthSettings whose values nobody may see. */
export const OAUTH_SECRETS = ['clientSecret', 'privateKey'] as const;

/** What is known in advance about logging in to a remote server. */
export interface OAuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** `client_credentials` logs in without a person. */
  readonly grant?: 'authorization_code' | 'client_credentials';
  /** A PEM key with which we prove who we are, instead of a secret. */
  readonly privateKey?: string;
  readonly signingAlgorithm?: string;
  /** The only authorization server that may see these credentials. */
  readonly issuer?: string;
  readonly callbackPort?: number;
  readonly authServerMetadataUrl?: string;
}
