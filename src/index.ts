export { Caller } from './bridge/caller.ts';
export type { CallerOptions } from './bridge/caller.ts';
export type { CallOptions, ToolAddress } from './bridge/call-options.ts';
export type { CallReport, Truncated } from './bridge/call-report.ts';
export type { Span, SpanOptions, Tracer } from './bridge/call-trace.ts';
export type { SpanContext, TraceContext } from './bridge/trace-context.ts';
export { callbackBroker } from './bridge/approval.ts';
export type { ApprovalAnswer, ApprovalBroker, ApprovalRequest } from './bridge/approval.ts';
export type { ExternalToolBundle, ExternalToolProvider, ExternalToolSpec } from './bridge/external-tools.ts';
export { HubToolProvider } from './bridge/hub-tool-provider.ts';
export { McpConnectionPool } from './bridge/mcp-connection-pool.ts';
export type { McpConnection } from './bridge/mcp-connection-pool.ts';
export { McpProxy } from './bridge/mcp-proxy.ts';
export type { McpProxyOptions, ProxiedMcpServer } from './bridge/mcp-proxy.ts';
export { McpToolBundle } from './bridge/mcp-tool-bundle.ts';
export type { McpToolBundleFields } from './bridge/mcp-tool-bundle.ts';
export { defineTool } from './bridge/native-tool.ts';
export type { NativeTool, NativeToolDefinition, ToolReply } from './bridge/native-tool.ts';
export { resourceTools } from './bridge/resource-tools.ts';
export type { ListedResources } from './bridge/resource-tools.ts';
export type { Tool } from './bridge/tool.ts';
export type { ToolContext } from './bridge/tool-context.ts';
export type { HeldBackTool } from './bridge/tool-directory.ts';
export type { CallArguments, ParamsOf, StructuredOf, ToolName, ToolTypes } from './bridge/tool-types.ts';
export { wrapTool } from './bridge/wrap-tool.ts';
export type { WrapHandler, WrapOptions, WrapReply, WrappableTool } from './bridge/wrap-tool.ts';
export type { ApprovalAsked, ApprovalDecided } from './call/approval-events.ts';
export type { PromptExecuted, PromptRendered, SectionsOpened } from './call/run-events.ts';
export type { ToolCall } from './call/tool-call.ts';
export type { ToolStarted } from './call/tool-started.ts';
export type { ToolInvoked } from './call/tool-invoked.ts';
export { textOf } from './call/content.ts';
export type { Content, ResourceContents } from './call/content.ts';
export type { Outcome } from './call/outcome.ts';
export type { Progress } from './call/progress.ts';
export type { CallToolResult, ToolResult } from './call/tool-result.ts';
export type { JsonObject, ToolAnnotations, ToolRef, ToolSource, Trust } from './call/tool-ref.ts';
export { systemClock } from './clock.ts';
export type { Clock, Timer } from './clock.ts';
export type { InProcessServer, MessageChannelEnd } from './config/in-process-server.ts';
export { createConfigPolicies } from './config/config-policies.ts';
export type { ConfigPolicies } from './config/config-policies.ts';
export { loadConfig } from './config/load-config.ts';
export type { LoadConfigOptions, LoadedConfig, LoadedFile } from './config/load-config.ts';
export { createPolicy } from './config/create-policy.ts';
export type { PolicyEntry } from './config/policy-entry.ts';
export { dotenvSource, environmentSource } from './config/secret-sources.ts';
export type { SecretSource } from './config/secret-sources.ts';
export { McpServer } from './config/server.ts';
export type {
  CommonOptions,
  McpServerFields,
  RemoteOptions,
  Scope,
  ServerMode,
  StdioOptions,
} from './config/server.ts';
export type { OAuthSettings, ServerTransport, TransportKind } from './config/server-transport.ts';
export type { Prompt as ServerPrompt, PromptArgument, Resource, ResourceTemplate } from './connection/catalog.ts';
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
export type { Confinement } from './isolation/confinement.ts';
export { IsolationConfig } from './isolation/isolation-config.ts';
export type { IsolationFields } from './isolation/isolation-config.ts';
export type { IsolationMode } from './isolation/isolation-mode.ts';
export { NetworkPolicy } from './isolation/network-policy.ts';
export { SandboxConfig } from './isolation/sandbox-config.ts';
export type { SandboxFields } from './isolation/sandbox-config.ts';
export { silentLogger } from './logger.ts';
export type { LogFields, Logger, LogLevel } from './logger.ts';
export { ALLOW, ask, deny } from './policy/decision.ts';
export type { Decision } from './policy/decision.ts';
export type { Effect } from './policy/effect.ts';
export { PatternPolicy } from './policy/pattern-policy.ts';
export type { PatternPolicyOptions } from './policy/pattern-policy.ts';
export { PERMISSION_TABLE, permissionTable } from './policy/permission-table.ts';
export type { PermissionSettings, PermissionTable } from './policy/permission-table.ts';
export { PermissionsPolicy } from './policy/permissions-policy.ts';
export type { PermissionsOptions } from './policy/permissions-policy.ts';
export { RateLimitPolicy } from './policy/rate-limit-policy.ts';
export type { RateLimitOptions } from './policy/rate-limit-policy.ts';
export { ReadBeforeWritePolicy } from './policy/read-before-write-policy.ts';
export type { FileExists, ReadBeforeWriteOptions } from './policy/read-before-write-policy.ts';
export { ResultCachePolicy } from './policy/result-cache-policy.ts';
export type { ResultCacheOptions } from './policy/result-cache-policy.ts';
export { SequentialDependencyPolicy } from './policy/sequential-dependency-policy.ts';
export type { Dependencies } from './policy/sequential-dependency-policy.ts';
export type { ToolCategory } from './policy/tool-category.ts';
export type { BoundPolicy, PolicyContext, PolicyScope, ToolPolicy } from './policy/tool-policy.ts';
export type { Choice, ChoiceContext, ChoiceScope } from './prompt/choice.ts';
export type { ClosedSection, ClosedTexts, HiddenSection } from './prompt/closed-section.ts';
export { AgentRun } from './prompt/disclosure/agent-run.ts';
export type { AgentRunOptions } from './prompt/disclosure/agent-run-options.ts';
export type { ViewSource } from './prompt/disclosure/catalog-book.ts';
export { evaluate } from './prompt/disclosure/evaluate.ts';
export type { EvaluateOptions, Evaluation } from './prompt/disclosure/evaluate.ts';
export { lintPrompt } from './prompt/disclosure/lint-prompt.ts';
export type { PromptWarning } from './prompt/disclosure/lint-prompt.ts';
export type { Model, ModelMessage, ModelReply, ModelRequest, ModelToolCall } from './prompt/disclosure/model.ts';
export type { RunTokens, SectionTokens } from './prompt/disclosure/run-tokens.ts';
export { VisibilityExpansionRequired } from './prompt/disclosure/visibility-expansion.ts';
export { FileOverridesStore } from './prompt/file-overrides-store.ts';
export type { FileOverridesOptions } from './prompt/file-overrides-store.ts';
export { MarkdownSection } from './prompt/markdown-section.ts';
export type { MarkdownChanges, MarkdownSectionOptions } from './prompt/markdown-section.ts';
export { McpIntegrationSection } from './prompt/mcp-integration-section.ts';
export type { McpIntegrationChanges } from './prompt/mcp-integration-section.ts';
export type { McpIntegrationOptions } from './prompt/mcp-integration-section-options.ts';
export type { InventoryVariables } from './prompt/mcp-inventory.ts';
export { MemoryOverridesStore } from './prompt/memory-overrides-store.ts';
export { defineParams } from './prompt/params.ts';
export type {
  AnyParams,
  BoundParams,
  DefaultParamsOptions,
  ListedParamsOptions,
  ParamsKind,
  PromptParams,
  SchemaParamsOptions,
} from './prompt/params.ts';
export type { CheckedTemplate, PlaceholderNames } from './prompt/placeholder-names.ts';
export type { PromptDescriptor, SectionDescriptor, ToolDescriptor } from './prompt/prompt-descriptor.ts';
export { PromptRenderError, PromptValidationError } from './prompt/prompt-errors.ts';
export type {
  OverrideAddress,
  OverridesStore,
  PromptOverride,
  SectionOverride,
  ToolOverride,
} from './prompt/prompt-overrides.ts';
export { PromptTemplate } from './prompt/prompt-template.ts';
export type { PromptTemplateOptions } from './prompt/prompt-template.ts';
export { Prompt } from './prompt/prompt.ts';
export type { RenderOptions } from './prompt/render-options.ts';
export { RenderedPrompt } from './prompt/rendered-prompt.ts';
export type { PromptTokens, RenderedContents, ToolParamDescriptions } from './prompt/rendered-prompt.ts';
export type { Embedder } from './prompt/search/embedder.ts';
export { HybridToolSearch } from './prompt/search/hybrid-tool-search.ts';
export type { ToolDocument } from './prompt/search/tool-document.ts';
export { ToolSearchIndex } from './prompt/search/tool-search-index.ts';
export type { ToolHit } from './prompt/search/tool-search-index.ts';
export { Section } from './prompt/section.ts';
export type { BodyContext, SectionOptions, SectionTool } from './prompt/section.ts';
export type { StructuredOutput } from './prompt/structured-output.ts';
export { setVisibility, VisibilityOverrides } from './prompt/visibility.ts';
export type { SectionVisibility, VisibilityByPath, VisibilityOverride } from './prompt/visibility.ts';
export { Scrubber } from './redaction.ts';
export { InProcessDispatcher, InProcessEventBus } from './session/dispatcher.ts';
export type { Dispatcher, OwnType, SessionEvents } from './session/dispatcher.ts';
export { EventLog } from './session/event-log.ts';
export type { EventLogOptions } from './session/event-log.ts';
export { readEvents } from './session/event-log-reader.ts';
export type { EventGap, ReadEventsOptions } from './session/event-log-reader.ts';
export type { LoggedEvent } from './session/event-parser.ts';
export { Filesystem } from './session/filesystem.ts';
export type { FileStat, FolderEntry } from './session/filesystem.ts';
export { HostFilesystem } from './session/host-filesystem.ts';
export type { HostFilesystemOptions } from './session/host-filesystem.ts';
export { MemoryFilesystem } from './session/memory-filesystem.ts';
export { bind, bindInstance } from './session/resource-binding.ts';
export type { Binding, BindOptions, ResourceScope } from './session/resource-binding.ts';
export type { CallResources, OpenCallOptions } from './session/resource-call.ts';
export { ResourceContainer } from './session/resource-container.ts';
export type { ContainerOptions } from './session/resource-container.ts';
export { resourceKey } from './session/resource-key.ts';
export type { NamedResourceKey, ResourceKey, ResourceLookup } from './session/resource-key.ts';
export { ResourceRegistry } from './session/resource-registry.ts';
export type { MergeOptions } from './session/resource-registry.ts';
export type {
  ResourceConflict,
  ResourceTransaction,
  RollbackConflict,
  Snapshotable,
  Transactional,
} from './session/resource-transaction.ts';
export { Session } from './session/session.ts';
export type { CloneOptions, SessionOptions } from './session/session.ts';
export type { SessionEvent } from './session/session-event.ts';
export type { SessionScope } from './session/session-scope.ts';
export type { SessionSnapshot } from './session/session-snapshot.ts';
export { defineSlice } from './session/slice.ts';
export type {
  Reducer,
  Slice,
  SliceChange,
  SliceDefinition,
  SliceKind,
  SliceOfAnything,
  SliceView,
} from './session/slice.ts';
export type { LogHandling } from './session/slice-store.ts';
export { ToolCallLog } from './session/tool-call-log.ts';
export type { Transaction } from './session/transaction.ts';
export { providerView } from './tools/provider/provider-view.ts';
export type { ProviderView } from './tools/provider/provider-view.ts';
export type { Provider } from './tools/provider/provider-rules.ts';
export { describeProblems } from './tools/schema/describe-problems.ts';
export type { SchemaCheck, SchemaProblem, SchemaVerdict } from './tools/schema/schema-check.ts';
export type { SchemaLimits } from './tools/schema/schema-limits.ts';
export { createToolSchemas } from './tools/schema/tool-schemas.ts';
export type { ToolSchemas } from './tools/schema/tool-schemas.ts';
export type { NamingStyle } from './tools/tool-name.ts';
export type { ToolSpec } from './tools/tool-spec.ts';
export type { AuthorizationOptions, RedirectContext } from './transport/authorization.ts';
export { createFileTokenStore } from './transport/file-token-store.ts';
export { createMemoryTokenStore } from './transport/token-store.ts';
export type { Credentials, Grants, TokenStore } from './transport/token-store.ts';
export { VERSION } from './version.ts';
