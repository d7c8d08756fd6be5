import type { ResourceKey, ResourceLookup } from './resource-key.ts';

/** How long an instance lives: as long as its container, one tool call, or from one `get` to the end of the call. */
export type ResourceScope = 'singleton' | 'tool-call' | 'prototype';

/** Says what a key stands for. */
export interface Binding<Resource = unknown> {
  readonly key: ResourceKey<Resource>;
  /** Makes the instance; what it needs itself it gets from the lookup. */
  readonly provider: (resources: ResourceLookup) => Resource;
  readonly scope: ResourceScope;
  /** A singleton that is made with its container, and not on first use. */
  readonly eager: boolean;
  /** Whether the container closes what the provider made. */
  readonly isOwned: boolean;
}

export interface BindOptions {
  /** `singleton` when nothing is said. */
  readonly scope?: ResourceScope;
  readonly eager?: boolean;
}

/** Binds a key to something that is made when it is needed. */
export function bind<Resource>(
  key: ResourceKey<Resource>,
  provider: (resources: ResourceLookup) => Resource,
  options: BindOptions = {},
): Binding<Resource> {
  return { key, provider, scope: options.scope ?? 'singleton', eager: options.eager ?? false, isOwned: true };
}

/** Binds a key to something that is there already; whoever made it closes it. */
export function bindInstance<Resource>(key: ResourceKey<Resource>, instance: Resource): Binding<Resource> {
  return { key, provider: () => instance, scope: 'singleton', eager: false, isOwned: false };
}
