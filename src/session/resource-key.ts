/** Names a resource of one type: its class, or a key made with `resourceKey`. */
export type ResourceKey<Resource> = (abstract new (...args: never[]) => Resource) | NamedResourceKey<Resource>;

/** A key for something that has no class. */
export interface NamedResourceKey<Resource> {
  readonly name: string;
  /** Never there; carries the type. */
  readonly of?: Resource;
}

/** Finds the resources that a tool may use. */
export interface ResourceLookup {
  /** Undefined when nothing is bound to the key. */
  get<Resource>(key: ResourceKey<Resource>): Resource | undefined;
}

/** A key for something that has no class; two keys are different even if their names are not. */
export function resourceKey<Resource>(name: string): NamedResourceKey<Resource> {
  return Object.freeze({ name });
}
