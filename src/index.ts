export { Caller } from './bridge/caller.ts';
export type { CallerOptions, CallOptions, CallReport, ToolAddress } from './bridge/caller.ts';
export type { ToolInvoked } from './call/tool-invoked.ts';
export { textOf } from './call/content.ts';
export type { Content, ResourceContents } from './call/content.ts';
export type { Outcome } from './call/outcome.ts';
export type { Progress } from './call/progress.ts';
export type { CallToolResult, ToolResult } from './call/tool-result.ts';
export type { JsonObject, ToolAnnotations, ToolRef, Trust } from './call/tool-ref.ts';
export { systemClock } from './clock.ts';
export type { Clock, Timer } from './clock.ts';
export type { InProcessServer, MessageChannelEnd } from './config/in-process-server.ts';
export { dotenvSource, environmentSource } from './config/secret-sources.ts';
export type { SecretSource } from './config/secret-sources.ts';
export { McpServer } from './config/server.ts';
export type {
  CommonOptions,
  Isolation,
  McpServerFields,
  RemoteOptions,
  Scope,
  ServerMode,
  StdioOptions,
} from './config/server.ts';
export type { OAuthSettings, ServerTransport, TransportKind } from './config/server-transport.ts';
export type { Prompt, PromptArgument, Resource, ResourceTemplate } from './connection/catalog.ts';
export type { ResourceLists } from './connection/catalog-keeper.ts';
export { McpConnectionError, McpError, McpSchemaError, McpTimeoutError, McpToolError } from './errors.ts';
export type { AskContext, ServerRequestHandlers } from './connection/server-requests.ts';
export type { ErrorCode, RpcError } from './errors.ts';
export type { CatalogCache, CatalogMemory, CatalogOwner } from './hub/catalog-cache.ts';
export { FileCatalogCache } from './hub/file-catalog-cache.ts';
export type { CachedCatalog } from './hub/file-catalog-cache.ts';
export { createEraStore, createFileEraStore } from './hub/era-store.ts';
export type { EraStore } from './hub/era-store.ts';
export type { HubEvents } from './hub/hub-events.ts';
export type { HubLimits } from './hub/hub-limits.ts';
export type { Hub as HubInterface } from './hub/hub.ts';
export type { CallRequest, PromptRequest, SetServersOptions, SetServersResult, WaitOptions } from './hub/hub.ts';
export type { HubView } from './hub/hub-view.ts';
export type { ViewOptions } from './hub/view-options.ts';
export { LocalHub as Hub } from './hub/local-hub.ts';
export type { HubOptions } from './hub/local-hub.ts';
export type { QuarantinedSpec } from './hub/registry.ts';
export type { PromptMessage, PromptResult } from './hub/protocol-requests.ts';
export type { ServerPhase, ServerStatus, StatusWord, ToolStatus } from './hub/server-status.ts';
export { silentLogger } from './logger.ts';
export type { LogFields, Logger, LogLevel } from './logger.ts';
export { Scrubber } from './redaction.ts';
export { InProcessDispatcher } from './session/dispatcher.ts';
export type { Dispatcher, SessionEvents } from './session/dispatcher.ts';
export { Session } from './session/session.ts';
export type { SessionOptions } from './session/session.ts';
export type { NamingStyle } from './tools/tool-name.ts';
export type { ToolSpec } from './tools/tool-spec.ts';
export type { AuthorizationOptions, RedirectContext } from './transport/authorization.ts';
export { createFileTokenStore } from './transport/file-token-store.ts';
export { createMemoryTokenStore } from './transport/token-store.ts';
export type { Credentials, Grants, TokenStore } from './transport/token-store.ts';
export { VERSION } from './version.ts';
