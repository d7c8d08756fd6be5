import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configJsonSchema } from './config-json-schema.ts';
import { parseConfig } from './parse-config.ts';
import { parseYamlDocument } from './yaml-document.ts';

test('the published schema is what the parser’s schema gives; if not, run node scripts/write-schema.mjs', async () => {
  const published = new URL('../../schema/fairlead.schema.json', import.meta.url);
  expect(JSON.parse(await readFile(published, 'utf8'))).toEqual(configJsonSchema());
});

describe('the schema and the parser agree on', () => {
  const schema = z.fromJSONSchema(configJsonSchema());
  const server = (entry: string) => `version: 1\nservers: { a: ${entry} }\n`;

  test.each([
    'version: 1',
    server('{ command: npx, args: [-y, pkg], env: { A: "1" }, cwd: ./x, tool_prefix: p, timeout: 30s }'),
    server('{ transport: stdio, command: npx, trackInvocations: false }'),
    server('{ transport: { url: "https://example.com", headers: {}, method: POST }, timeout: 60, enabled_tools: [x] }'),
    server('{ alias: a, transport: streamable-http, url: "https://example.com", tool_allowlist: [x] }'),
    server('{ type: sdk, name: b }'),
    server('{ url: "https://example.com", oauth: { client_id: x, scopes: [a] }, pin: [x] }'),
    'version: 1\npolicies: { a: { kind: permissions, read_only: allow }, b: { kind: cache, ttl: 1m } }',
    'version: 1\nsections: { a.b: { title: A, visibility: summary, template: x } }\nprofiles: { p: { sections: [a.b], disclosure: search } }',
  ])('what is right: %j', (text) => {
    expect(judgements(text)).toEqual({ schema: true, parser: true });
  });

  test.each([
    '{}',
    'version: 2',
    'version: 1\nserverz: {}',
    'version: 1\nservers: { "Bad Name": { command: x } }',
    server('{ command: x, unknown: 1 }'),
    server('{ command: 1 }'),
    server('{ transport: { command: x, unknown: 1 } }'),
    server('{ url: "https://example.com", method: GET }'),
    server('{ command: x, timeout: soon }'),
    'version: 1\npolicies: { a: { kind: other } }',
    'version: 1\nsections: { a: {} }',
    'version: 1\nprofiles: { p: { disclosure: x } }',
  ])('what is wrong: %j', (text) => {
    expect(judgements(text)).toEqual({ schema: false, parser: false });
  });

  function judgements(text: string) {
    const document = parseYamlDocument(text, 'fairlead.yaml');
    return {
      schema: schema.safeParse(document.value).success,
      parser: parseConfig(document, 'user').problems.length === 0,
    };
  }
});
