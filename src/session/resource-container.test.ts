import { describe, expect, test } from 'vitest';
import { RecordingLogger } from '../../test/fixtures/recording-logger.ts';
import { McpError } from '../errors.ts';
import { bind, bindInstance } from './resource-binding.ts';
import type { Binding } from './resource-binding.ts';
import { ResourceContainer } from './resource-container.ts';
import { resourceKey } from './resource-key.ts';
import { ResourceRegistry } from './resource-registry.ts';

const text = resourceKey<string>('text');
const first = resourceKey<object>('first');
const second = resourceKey<object>('second');
const third = resourceKey<object>('third');

function containerOf(...bindings: readonly Binding[]): ResourceContainer {
  return new ResourceContainer(ResourceRegistry.of(...bindings));
}

describe('scopes', () => {
  test('a singleton is made once, on first use, and is the same in every call', async () => {
    let made = 0;
    await using container = containerOf(bind(first, () => ({ number: (made += 1) })));
    expect(made).toBe(0);
    const instance = container.get(first);
    await using call = container.openCall();
    expect([call.get(first) === instance, container.get(first) === instance, made]).toEqual([true, true, 1]);
  });

  test('an eager singleton is made with its container', () => {
    let made = 0;
    containerOf(bind(first, () => ({ number: (made += 1) }), { eager: true }));
    expect(made).toBe(1);
  });

  test('a tool call has instances of its own, which are the same for the whole call', async () => {
    await using container = containerOf(bind(first, () => ({}), { scope: 'tool-call' }));
    await using one = container.openCall();
    await using other = container.openCall();
    await using inner = one.openCall();
    expect(one.get(first)).toBe(one.get(first));
    expect(new Set([one.get(first), other.get(first), inner.get(first)]).size).toBe(3);
  });

  test('what lives for one call cannot be had outside of calls', async () => {
    await using container = containerOf(
      bind(first, () => ({}), { scope: 'tool-call' }),
      bind(second, (resources) => ({ first: resources.get(first) })),
    );
    await using call = container.openCall();
    const message = 'first lives for one tool call; get it in a call, not from a singleton or the container';
    expect(() => container.get(first)).toThrow(message);
    expect(() => call.get(second)).toThrow(message);
  });

  test('a prototype is fresh each time', async () => {
    await using container = containerOf(bind(first, () => ({}), { scope: 'prototype' }));
    await using call = container.openCall();
    expect(new Set([container.get(first), container.get(first), call.get(first), call.get(first)]).size).toBe(4);
  });

  test('nothing is found under a key that nobody bound', async () => {
    await using container = containerOf(bindInstance(text, 'here'));
    await using call = container.openCall();
    expect([container.get(first), call.get(first), container.get(text), call.get(text)]).toEqual([
      undefined,
      undefined,
      'here',
      'here',
    ]);
  });

  test('a class is its own key, an abstract one too', async () => {
    abstract class Store {
      abstract readonly name: string;
    }
    class DiskStore extends Store {
      readonly name: string = 'disk';
    }
    await using container = containerOf(bind(Store, () => new DiskStore()));
    expect([container.get(Store)?.name, container.get(DiskStore)]).toEqual(['disk', undefined]);
  });
});

describe('providers', () => {
  test('get what they need', async () => {
    await using container = containerOf(
      bindInstance(text, 'base'),
      bind(first, (resources) => ({ of: resources.get(text) })),
      bind(second, (resources) => ({ of: resources.get(first) }), { scope: 'tool-call' }),
    );
    await using call = container.openCall();
    expect(call.get(second)).toEqual({ of: { of: 'base' } });
  });

  test('that need themselves are refused, with the chain', async () => {
    await using container = containerOf(
      bind(text, (resources) => JSON.stringify(resources.get(first))),
      bind(first, (resources) => ({ needs: resources.get(second) })),
      bind(second, (resources) => ({ needs: resources.get(third) })),
      bind(third, (resources) => ({ needs: resources.get(first) })),
    );
    const message = 'first → second → third → first: a resource needs itself; break the circle in one of the providers';
    expect(() => container.get(text)).toThrow(new McpError('RESOURCE_FAILED', message));
    expect(() => container.openCall().get(first)).toThrow(message);
  });

  test('that throw name the resource and keep the cause, and are tried again', async () => {
    const cause = new Error('no disk');
    let isBroken = true;
    await using container = containerOf(
      bind(first, () => {
        if (isBroken) throw cause;
        return {};
      }),
      bind(second, (resources) => ({ of: resources.get(first) })),
    );
    const failure = expect.objectContaining({
      code: 'RESOURCE_FAILED',
      message: 'first could not be made: no disk',
      cause,
    });
    expect(() => container.get(second)).toThrow(failure);
    isBroken = false;
    expect(container.get(second)).toEqual({ of: {} });
  });
});

describe('lifecycle', () => {
  test('postConstruct runs before anybody gets the instance', async () => {
    class Service {
      isReady = false;
      postConstruct(): void {
        this.isReady = true;
      }
    }
    const given = new Service();
    const other = resourceKey<Service>('given');
    await using container = containerOf(
      bind(Service, () => new Service()),
      bindInstance(other, given),
    );
    expect([container.get(Service)?.isReady, container.get(other)?.isReady]).toEqual([true, false]);
  });

  test('a postConstruct that fails later is logged', async () => {
    const logger = new RecordingLogger();
    const lazy = { postConstruct: () => Promise.reject(new Error('late')) };
    const container = new ResourceContainer(ResourceRegistry.of(bind(first, () => lazy)), { logger });
    expect(container.get(first)).toBe(lazy);
    await container.close();
    expect(logger.lines).toEqual([
      { level: 'error', message: 'postConstruct of a resource failed', fields: { error: 'late' } },
    ]);
  });

  test('what was made is closed once, the last first, in each of the three ways; what was given is not', async () => {
    const closed: string[] = [];
    const closing = (name: string) => () => void closed.push(name);
    const given = { close: closing('given') };
    const container = containerOf(
      bindInstance(text, 'text'),
      bindInstance(resourceKey<object>('given'), given),
      bind(first, () => ({ close: closing('close') }), { eager: true }),
      bind(second, () => ({ [Symbol.dispose]: closing('dispose'), close: closing('wrong') }), { eager: true }),
      bind(third, () => ({ [Symbol.asyncDispose]: async () => closed.push('asyncDispose') }), { eager: true }),
    );
    await container.close();
    await container[Symbol.asyncDispose]();
    expect(closed).toEqual(['asyncDispose', 'dispose', 'close']);
  });

  test('closing does not stop at an error', async () => {
    const closed: string[] = [];
    const failing = (message: string) => ({ close: () => Promise.reject(new Error(message)) });
    const container = containerOf(
      bind(first, () => failing('one'), { eager: true }),
      bind(second, () => ({ close: () => void closed.push('second') }), { eager: true }),
      bind(third, () => failing('three'), { eager: true }),
    );
    const error: unknown = await container.close().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual([new Error('three'), new Error('one')]);
    expect(closed).toEqual(['second']);
  });

  test('after the close nothing is made', async () => {
    const container = containerOf(bind(first, () => ({})));
    await container.close();
    expect(() => container.get(first)).toThrow('first was asked for after the close');
  });

  test('an eager provider that throws does not leave the others open', async () => {
    const { promise, resolve } = withResolvers();
    const make = (): ResourceContainer =>
      containerOf(
        bind(first, () => ({ close: resolve }), { eager: true }),
        bind(
          second,
          () => {
            throw new Error('broken');
          },
          { eager: true },
        ),
      );
    expect(make).toThrow('second could not be made: broken');
    await promise;
  });

  test('a call closes its own instances when it ends, and logs what fails', async () => {
    const logger = new RecordingLogger();
    const closed: string[] = [];
    await using container = new ResourceContainer(
      ResourceRegistry.of(
        bind(first, () => ({ close: () => void closed.push('singleton') })),
        bind(second, () => ({ close: () => void closed.push('tool-call') }), { scope: 'tool-call' }),
        bind(third, () => ({ close: () => Promise.reject(new Error('stuck')) }), { scope: 'prototype' }),
      ),
      { logger },
    );
    const call = container.openCall();
    for (const key of [first, second, second, third]) call.get(key);
    await call.close();
    await call.close();
    expect(closed).toEqual(['tool-call']);
    expect(logger.lines).toEqual([
      { level: 'warn', message: 'a resource of a call could not be closed', fields: { error: 'stuck' } },
    ]);
    expect(() => call.get(first)).toThrow('first was asked for after its call had ended');
  });
});

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
