/** The same object, every failure of whose methods is told, whatever the caller makes of it. */
export function watched<Subject extends object>(subject: Subject, onError: (error: unknown) => void): Subject {
  const rethrow = (error: unknown): never => {
    onError(error);
    throw error;
  };
  return new Proxy(subject, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        try {
          const result: unknown = Reflect.apply(value, target, args);
          if (!(result instanceof Promise)) return result;
          const outcome = result.catch(rethrow);
          // A row that has failed already does not look at what it began.
          outcome.catch(() => undefined);
          return outcome;
        } catch (error) {
          return rethrow(error);
        }
      };
    },
  });
}
