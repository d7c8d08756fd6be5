import { McpError, messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Binding } from './resource-binding.ts';
import { isCloseable } from './resource-disposal.ts';
import type { ResourceLookup } from './resource-key.ts';

/** Who asks for an instance. */
export interface MakeRequest {
  /** Where the provider finds what it needs. */
  readonly lookup: ResourceLookup;
  /** Takes what must be closed in the end. */
  readonly made: unknown[];
}

/** Makes instances of bindings, and refuses those that need themselves. */
export class ResourceMaker {
  readonly #logger: Logger;
  // Providers are synchronous, so this is exactly who waits for whom.
  readonly #waiting: Binding[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  make(binding: Binding, request: MakeRequest): unknown {
    const first = this.#waiting.indexOf(binding);
    if (first !== -1) throw circular([...this.#waiting.slice(first), binding]);
    this.#waiting.push(binding);
    try {
      const instance = binding.provider(request.lookup);
      if (!binding.isOwned) return instance;
      if (isCloseable(instance)) request.made.push(instance);
      this.#finish(instance);
      return instance;
    } catch (cause) {
      // The innermost error names the resource at fault.
      if (cause instanceof McpError && cause.code === 'RESOURCE_FAILED') throw cause;
      const message = `${binding.key.name} could not be made: ${messageOf(cause)}`;
      throw new McpError('RESOURCE_FAILED', message, { cause });
    } finally {
      this.#waiting.pop();
    }
  }

  #finish(instance: unknown): void {
    if (!hasPostConstruct(instance)) return;
    const returned = instance.postConstruct();
    if (!(returned instanceof Promise)) return;
    returned.catch((error: unknown) => {
      this.#logger.log('error', 'postConstruct of a resource failed', { error: messageOf(error) });
    });
  }
}

interface PostConstruct {
  postConstruct(): unknown;
}

function hasPostConstruct(instance: unknown): instance is PostConstruct {
  if (typeof instance !== 'object' || instance === null) return false;
  return typeof Reflect.get(instance, 'postConstruct') === 'function';
}

function circular(chain: readonly Binding[]): McpError {
  const names = chain.map(({ key }) => key.name).join(' → ');
  return new McpError('RESOURCE_FAILED', `${names}: a resource needs itself; break the circle in one of the providers`);
}
