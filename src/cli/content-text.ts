import type { Content, ResourceContents } from '../call/content.ts';
import { base64Bytes, formatBytes } from './byte-size.ts';

/** What of a piece of content can be printed: a text as it is, everything else as one line in brackets. */
export function contentText(content: Content): string {
  const { type } = content;
  const text = content['text'];
  if (type === 'text' && typeof text === 'string') return text;
  if (type === 'image' || type === 'audio') return bracketed(type, [content['mimeType'], sizeOf(content['data'])]);
  if (type === 'resource') return resourceText(content['resource']);
  if (type === 'resource_link') return bracketed('link', [content['uri'], content['mimeType']]);
  return bracketed(type, ['use --json to see it']);
}

function resourceText(resource: unknown): string {
  if (typeof resource !== 'object' || resource === null) return bracketed('resource', []);
  const { uri, mimeType, text, blob } = resource as Partial<ResourceContents>;
  const size = typeof text === 'string' ? formatBytes(Buffer.byteLength(text)) : sizeOf(blob);
  return bracketed('resource', [uri, mimeType, size]);
}

function sizeOf(base64: unknown): string | undefined {
  return typeof base64 === 'string' ? formatBytes(base64Bytes(base64)) : undefined;
}

function bracketed(kind: string, facts: readonly unknown[]): string {
  const known = facts.filter((fact) => typeof fact === 'string' && fact !== '');
  return `[${[kind, ...known].join(', ')}]`;
}
