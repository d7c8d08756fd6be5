/** One piece of what a tool returned, as the server sent it. */
export type Content = TextContent | MediaContent | EmbeddedResource | ResourceLink | UnknownContent;

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
  readonly [extra: string]: unknown;
}

export interface MediaContent {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
  readonly [extra: string]: unknown;
}

export interface EmbeddedResource {
  readonly type: 'resource';
  readonly resource: ResourceContents;
  readonly [extra: string]: unknown;
}

export interface ResourceLink {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly [extra: string]: unknown;
}

/** A kind that a later revision of the protocol may add: kept as it is. */
export interface UnknownContent {
  readonly type: string;
  readonly [extra: string]: unknown;
}

/** A resource's contents: text, or base64 in `blob`. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly [extra: string]: unknown;
}

/** The text of all text pieces, one per line. */
export function textOf(content: readonly Content[]): string {
  return content
    .flatMap((piece) => (piece.type === 'text' && typeof piece['text'] === 'string' ? [piece['text']] : []))
    .join('\n');
}
