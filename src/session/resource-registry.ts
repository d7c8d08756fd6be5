import { McpError } from '../errors.ts';
import type { Binding } from './resource-binding.ts';
import type { ResourceKey } from './resource-key.ts';

export interface MergeOptions {
  /** Refuses a key that both bind. */
  readonly strict?: boolean;
}

/** An immutable list of bindings, one per key. */
export class ResourceRegistry {
  readonly #byKey: ReadonlyMap<ResourceKey<unknown>, Binding>;

  private constructor(byKey: ReadonlyMap<ResourceKey<unknown>, Binding>) {
    this.#byKey = byKey;
  }

  static of(...bindings: readonly Binding[]): ResourceRegistry {
    const byKey = new Map<ResourceKey<unknown>, Binding>();
    for (const binding of bindings) {
      if (byKey.has(binding.key)) throw boundTwice([binding]);
      byKey.set(binding.key, binding);
    }
    return new ResourceRegistry(byKey);
  }

  get bindings(): readonly Binding[] {
    return [...this.#byKey.values()];
  }

  find(key: ResourceKey<unknown>): Binding | undefined {
    return this.#byKey.get(key);
  }

  /** Both together; where both bind a key, the other registry wins. */
  merge(other: ResourceRegistry, options: MergeOptions = {}): ResourceRegistry {
    const twice = other.bindings.filter(({ key }) => this.#byKey.has(key));
    if (options.strict && twice.length > 0) throw boundTwice(twice);
    return new ResourceRegistry(new Map([...this.#byKey, ...other.#byKey]));
  }
}

function boundTwice(bindings: readonly Binding[]): McpError {
  const names = bindings.map(({ key }) => key.name).join(', ');
  return new McpError('RESOURCE_FAILED', `${names}: bound twice; keep one binding for each key`);
}
