/** The only event mechanism in Fairlead: typed, synchronous, and deaf to a listener that throws. */
export class Emitter<Events extends object> {
  readonly #subscriptions = new Map<keyof Events, Set<Subscription>>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = () => undefined) {
    this.#onListenerError = onListenerError;
  }

  /** Listens to one type of event; the returned function stops listening. */
  on<Type extends keyof Events>(type: Type, listener: (event: Events[Type]) => void): () => void {
    const subscriptions = this.#subscriptions.get(type) ?? new Set();
    this.#subscriptions.set(type, subscriptions);
    // One function may listen twice; each time is stopped by itself.
    const subscription: Subscription = { listener };
    subscriptions.add(subscription);
    return () => void subscriptions.delete(subscription);
  }

  hears(type: keyof Events): boolean {
    return (this.#subscriptions.get(type)?.size ?? 0) > 0;
  }

  emit<Type extends keyof Events>(type: Type, event: Events[Type]): void {
    for (const subscription of [...(this.#subscriptions.get(type) ?? [])]) {
      // An earlier listener may have stopped this one.
      if (!this.#subscriptions.get(type)?.has(subscription)) continue;
      try {
        const returned = (subscription.listener as (event: Events[Type]) => unknown)(event);
        if (returned instanceof Promise) returned.catch(this.#onListenerError);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  removeAll(): void {
    this.#subscriptions.clear();
  }
}

interface Subscription {
  readonly listener: (event: never) => void;
}
