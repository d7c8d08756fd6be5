import type { JsonObject } from '../../call/tool-ref.ts';
import { splitDescription } from './first-sentence.ts';
import { parameterText } from './parameter-text.ts';

/** A tool as a search sees it; a `ToolSpec` is one. */
export interface ToolDocument {
  /** What an agent calls it; unique in an index. */
  readonly name: string;
  /** The server's own name for it, if that is another. */
  readonly tool?: string | undefined;
  /** Absent for a native tool. */
  readonly server?: string | undefined;
  /** What the server calls itself. */
  readonly serverTitle?: string | undefined;
  readonly serverDescription?: string | undefined;
  readonly section?: SectionDocument | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: JsonObject | undefined;
}

/** The section of a prompt that a tool belongs to. */
export interface SectionDocument {
  readonly key: string;
  readonly title?: string | undefined;
  readonly summary?: string | undefined;
}

/** One part of a document: what a word in it counts, and how often at most. */
export interface DocumentField {
  readonly text: string;
  readonly weight: number;
  readonly maxRepeats: number;
}

/** The texts of a document by what they are worth. */
export function documentFields(document: ToolDocument): readonly DocumentField[] {
  const { first, rest } = splitDescription(document.description ?? '');
  const parameters = parameterText(document.inputSchema ?? {});
  const { section } = document;
  // Whole numbers, so that sums of them are exact and what is added can be taken away again without a trace.
  // Long texts repeat what they warn about; repeats there say little about what the tool is for.
  return [
    { text: document.tool ?? document.name, weight: 16, maxRepeats: Infinity },
    { text: document.title ?? '', weight: 3, maxRepeats: 1 },
    { text: first, weight: 5, maxRepeats: Infinity },
    { text: rest, weight: 3, maxRepeats: 2 },
    { text: parameters.names, weight: 2, maxRepeats: 1 },
    { text: parameters.descriptions, weight: 1, maxRepeats: 1 },
    { text: `${document.server ?? ''} ${document.serverTitle ?? ''}`, weight: 6, maxRepeats: 1 },
    { text: document.serverDescription ?? '', weight: 2, maxRepeats: Infinity },
    { text: `${section?.title ?? ''} ${section?.summary ?? ''}`, weight: 2, maxRepeats: 1 },
  ];
}
