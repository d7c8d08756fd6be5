import { expect, test } from 'vitest';
import { McpError } from '../errors.ts';
import { bind, bindInstance } from './resource-binding.ts';
import { resourceKey } from './resource-key.ts';
import { ResourceRegistry } from './resource-registry.ts';

const host = resourceKey<string>('host');
const port = resourceKey<number>('port');

test('keeps one binding for each key, in the order they were given', () => {
  const [first, second] = [bindInstance(host, 'localhost'), bind(port, () => 80, { scope: 'prototype', eager: true })];
  const registry = ResourceRegistry.of(first, second);
  expect(registry.bindings).toEqual([first, second]);
  expect([registry.find(host), registry.find(resourceKey('host'))]).toEqual([first, undefined]);
  expect(() => ResourceRegistry.of(first, bindInstance(host, 'other'))).toThrow(McpError);
});

test('merges: the later binding wins, or both are refused', () => {
  const earlier = ResourceRegistry.of(bindInstance(host, 'localhost'), bindInstance(port, 80));
  const later = ResourceRegistry.of(bindInstance(host, 'example.com'));
  const hosts = [earlier.merge(later), later.merge(earlier)].map((registry) =>
    registry.find(host)?.provider({ get: () => undefined }),
  );
  expect(hosts).toEqual(['example.com', 'localhost']);
  expect(earlier.merge(later).bindings).toHaveLength(2);
  expect(() => earlier.merge(later, { strict: true })).toThrow('host: bound twice');
  expect(ResourceRegistry.of().merge(later, { strict: true }).bindings).toEqual(later.bindings);
});
