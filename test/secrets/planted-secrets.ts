import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { formsOf } from '../../src/secret-forms.ts';

/** Secrets with every kind of character that is written differently in different places. */
export interface PlantedSecrets {
  readonly quotes: string;
  readonly slashes: string;
  readonly lines: string;
  readonly foreign: string;
  readonly spaces: string;
  readonly symbols: string;
}

// Long enough not to occur by chance, short enough to notice a secret that was cut before it was masked.
const WINDOW = 10;
const AROUND = 80;

/** New secrets; each is ordinary text around a core of hexadecimal digits that is spelled alike almost everywhere. */
export function plantSecrets(): PlantedSecrets {
  return {
    quotes: `"q'${core()}'q"`,
    slashes: `/s\\${core()}/\\n/`,
    lines: `-----FIRST ${core()}\nsecond/${core()}\r\n\tthird ${core()}-----\n`,
    foreign: `ключ-pä🔑-${core()}-ß`,
    spaces: `  two words ${core()} and three  `,
    symbols: `%41&=+?#;<${core()}>$$&{}`,
  };
}

/** What is seen of the secrets, or of parts of them, however they are written: by place, with the text around. */
export function placesSeen(
  secrets: PlantedSecrets,
  sinks: Readonly<Record<string, readonly unknown[]>>,
): Readonly<Record<string, readonly string[]>> {
  const phrases = Object.values(secrets).flatMap((secret: string) => phrasesOf(secret));
  const seen = Object.entries(sinks).map(([place, things]) => [
    place,
    things.flatMap((thing) => glimpseOf(thing, phrases)),
  ]);
  return Object.fromEntries(seen.filter(([, glimpses]) => glimpses?.length !== 0));
}

function glimpseOf(thing: unknown, phrases: readonly string[]): readonly string[] {
  const text = textOf(thing);
  const phrase = phrases.find((each) => text.includes(each));
  if (phrase === undefined) return [];
  const at = text.indexOf(phrase);
  return [text.slice(Math.max(0, at - AROUND), at + AROUND)];
}

function core(): string {
  return randomUUID().replaceAll('-', '');
}

function phrasesOf(secret: string): readonly string[] {
  const cores = secret.match(/[0-9a-f]{32}/g) ?? [];
  return cores.flatMap((each) => [...windowsOf(each), ...formsOf(each)]);
}

function windowsOf(text: string): readonly string[] {
  return Array.from({ length: text.length - WINDOW + 1 }, (_, start) => text.slice(start, start + WINDOW));
}

/** Everything there is to see: what inspecting shows, with stacks and causes, and the JSON. */
function textOf(thing: unknown): string {
  const shown = inspect(thing, {
    depth: 20,
    showHidden: true,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
    breakLength: Infinity,
  });
  return `${shown}\n${JSON.stringify(thing) ?? ''}`;
}
