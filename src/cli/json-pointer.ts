/** The value that a JSON Pointer (RFC 6901) names; throws an error that says where the path ends. */
export function readPointer(root: unknown, pointer: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/'))
    throw new RangeError(`a JSON Pointer begins with '/', not '${pointer}'`);
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let value = root;
  for (const [index, step] of steps.entries()) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      throw new RangeError(`there is nothing at /${steps.slice(0, index + 1).join('/')}`);
    }
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}
