import type { evaluate, Hub, MarkdownSection, McpServer, PromptTemplate } from '../src/index.ts';
import type { definitionText } from '../src/prompt/disclosure/definition-text.ts';
import type { CountTokens } from '../src/prompt/disclosure/token-counter.ts';

/** What is replayed through: the sources, or what was built of them. */
export interface ReplayLibrary {
  readonly Hub: typeof Hub;
  readonly McpServer: typeof McpServer;
  readonly MarkdownSection: typeof MarkdownSection;
  readonly PromptTemplate: typeof PromptTemplate;
  readonly evaluate: typeof evaluate;
  readonly count: CountTokens;
  readonly definitionText: typeof definitionText;
}

export interface ReplayRow {
  readonly task: string;
  readonly way: 'eager' | 'sections' | 'search';
  /** Tokens of the first request. */
  readonly start: number;
  /** Tokens of all requests together. */
  readonly input: number;
  readonly turns: number;
  readonly calls: number;
  readonly failed: number;
  readonly found: number;
  readonly wanted: number;
}

export declare function replayAll(library: ReplayLibrary): Promise<readonly ReplayRow[]>;

export declare function losingCases(rows: readonly ReplayRow[]): readonly string[];
