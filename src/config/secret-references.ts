/** A place in a text that stands for a value kept elsewhere: `${NAME}` or `${NAME:-default}`. */
export interface SecretReference {
  readonly name: string;
  /** What to use when there is no value, or an empty one. */
  readonly fallback?: string;
}

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
const ANY_BRACES = /\$\{[^}]*\}/g;

/** Every reference in a text, in order. */
export function findReferences(text: string): readonly SecretReference[] {
  return [...text.matchAll(REFERENCE)].map(([, name, fallback]) => toReference(name, fallback));
}

/** Puts a value in the place of each reference; what the values say is not looked at again. */
export function replaceReferences(text: string, replace: (reference: SecretReference) => string): string {
  return text.replaceAll(REFERENCE, (_, name: string, fallback: string | undefined) =>
    replace(toReference(name, fallback)),
  );
}

/** A reference as it is written. */
export function formatReference(reference: SecretReference): string {
  return reference.fallback === undefined ? `\${${reference.name}}` : `\${${reference.name}:-${reference.fallback}}`;
}

/** What looks like a reference but is of another program's kind, such as `${env:NAME}`. */
export function findForeignReferences(text: string): readonly string[] {
  return [...text.replaceAll(REFERENCE, '').matchAll(ANY_BRACES)].map(([whole]) => whole);
}

function toReference(name: string | undefined, fallback: string | undefined): SecretReference {
  return { name: name ?? '', ...(fallback !== undefined && { fallback }) };
}
