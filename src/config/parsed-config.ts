import type { ConfigProblem, ConfigWarning, FieldPath } from './config-problem.ts';
import type { PolicyEntry } from './policy-entry.ts';
import type { ProfileEntry, SectionEntry } from './section-entry.ts';
import type { McpServer, Scope } from './server.ts';
import type { SourceDocument } from './source-document.ts';

/** Something that a file declares under a name, and where. */
export interface Declared<Value> {
  readonly name: string;
  readonly path: FieldPath;
  /** Undefined when it has mistakes; its name is known all the same. */
  readonly value: Value | undefined;
}

/** What one file declares, with the mistakes that can be seen without the other files. */
export interface ParsedConfig {
  readonly document: SourceDocument;
  readonly scope: Scope;
  readonly servers: readonly Declared<McpServer>[];
  readonly policies: readonly Declared<PolicyEntry>[];
  readonly sections: readonly Declared<SectionEntry>[];
  readonly profiles: readonly Declared<ProfileEntry>[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigWarning[];
}

/** The parts of a file whose entries have names. */
export type ConfigGroup = 'servers' | 'policies' | 'sections' | 'profiles';
