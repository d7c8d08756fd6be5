import { createHash } from 'node:crypto';

/** A name that the provider takes, always the same for the same property. */
export function toPropertyName(name: string, allowed: RegExp | undefined): string {
  if (allowed === undefined || allowed.test(name)) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const plain = name.replaceAll(/\W/g, '_').slice(0, 50);
  return `${/^\d/.test(plain) ? '_' : ''}${plain}_${mark}`;
}
