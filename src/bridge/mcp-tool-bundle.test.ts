import { expect, test } from 'vitest';
import { McpServer } from '../config/server.ts';
import { McpToolBundle } from './mcp-tool-bundle.ts';

test('[S2.bundles] a bundle from npm is npx -y with the package and its arguments, without specs', () => {
  expect({ ...McpToolBundle.fromNpm('files', '@example/mcp-server-files', ['/data', '--quiet']) }).toEqual({
    name: 'files',
    toolSpecs: [],
    command: 'npx',
    args: ['-y', '@example/mcp-server-files', '/data', '--quiet'],
    env: {},
  });
});

test('a bundle says which server it stands for', () => {
  const bundle = new McpToolBundle({ name: 'files', command: 'node', args: ['server.js'], env: { MODE: 'fast' } });
  expect(bundle.toServer()).toEqual(McpServer.stdio('files', 'node', ['server.js'], { env: { MODE: 'fast' } }));
});

test('a bundle is a value that later changes of what it was made from do not reach', () => {
  const args = ['server.js'];
  const bundle = new McpToolBundle({ name: 'files', command: 'node', args });
  args.push('--late');
  expect(bundle.args).toEqual(['server.js']);
  expect(Object.isFrozen(bundle)).toBe(true);
});
