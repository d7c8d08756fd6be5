/** Closes everything, the last one made first, and gives the errors of those that could not be closed. */
export async function closeInReverse(instances: readonly unknown[]): Promise<readonly unknown[]> {
  const errors: unknown[] = [];
  for (const instance of instances.toReversed()) {
    try {
      await closerOf(instance)?.();
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

/** Whether there is anything to close. */
export function isCloseable(instance: unknown): boolean {
  return closerOf(instance) !== undefined;
}

function closerOf(instance: unknown): (() => unknown) | undefined {
  if (typeof instance !== 'object' || instance === null) return undefined;
  for (const name of [Symbol.asyncDispose, Symbol.dispose, 'close']) {
    const close: unknown = Reflect.get(instance, name);
    if (typeof close === 'function') return () => Reflect.apply(close, instance, []) as unknown;
  }
  return undefined;
}
