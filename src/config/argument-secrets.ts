import { replaceShapes } from './secret-shapes.ts';

const MASK = '***';

/** Which arguments are secrets, by their looks or because `scrub` knows them; the warnings show no value. */
export function argumentWarnings(args: readonly string[], scrub: (text: string) => string): readonly string[] {
  return args.flatMap((arg, index) => {
    const [, flag = '', value = arg] = /^(--?[\w-]+=)([^]+)$/.exec(arg) ?? [];
    const masked = replaceShapes(value, () => MASK);
    const isSecret = masked !== value || scrub(value.trim()) === MASK;
    if (!isSecret) return [];
    const shown = masked === value ? MASK : scrub(masked);
    const why = 'holds a secret that every user of this machine can see in the list of processes; put it into env';
    return [`args[${index}] (${flag}${shown}) ${why}`];
  });
}
