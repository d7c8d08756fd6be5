import type { JsonObject } from '../call/tool-ref.ts';

/** A tool that somebody else runs: what is known of it, and no handler. */
export interface ExternalToolSpec {
  /** Its name where it comes from. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** The tools of one external system. */
export interface ExternalToolBundle {
  readonly name: string;
  /** Empty until they were discovered. */
  readonly toolSpecs: readonly ExternalToolSpec[];
}

/** Knows external tools, and how some agent SDK or hub is told of them. */
export interface ExternalToolProvider<Config = unknown> {
  getBundles(): readonly ExternalToolBundle[];
  /** What the agent SDK or hub takes for a bundle. */
  toProviderConfig(bundle: ExternalToolBundle): Config;
}
