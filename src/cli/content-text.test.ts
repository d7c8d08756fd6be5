import { expect, test } from 'vitest';
import type { Content } from '../call/content.ts';
import { contentText } from './content-text.ts';

test.for<[Content, string]>([
  [{ type: 'text', text: 'as it is\n' }, 'as it is\n'],
  [{ type: 'image', data: 'A'.repeat(16_000), mimeType: 'image/png' }, '[image, image/png, 12 kB]'],
  [{ type: 'audio', data: 'AAEC', mimeType: 'audio/wav' }, '[audio, audio/wav, 3 B]'],
  [
    { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'é' } },
    '[resource, a://b, text/plain, 2 B]',
  ],
  [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAEC' } }, '[resource, a://b, 3 B]'],
  [{ type: 'resource', resource: null }, '[resource]'],
  [{ type: 'resource_link', uri: 'a://b', name: 'b' }, '[link, a://b]'],
  [{ type: 'text' }, '[text, use --json to see it]'],
  [{ type: 'hologram', size: 3 }, '[hologram, use --json to see it]'],
])('%j', ([content, text]) => {
  expect(contentText(content)).toBe(text);
});
