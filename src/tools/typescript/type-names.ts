/** Gives each declaration of a file a name of its own. */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<string, number>();

  /** The first of `stem`, `stem2`, `stem3` … with which every one of the endings is free; takes them all. */
  take(stem: string, endings: readonly string[] = ['']): string {
    for (let number = this.#numbers.get(stem) ?? 1; ; number += 1) {
      const numbered = number === 1 ? stem : `${stem}${number}`;
      const names = endings.map((ending) => numbered + ending);
      if (names.some((name) => this.#taken.has(name))) continue;
      for (const name of names) this.#taken.add(name);
      this.#numbers.set(stem, number);
      return numbered;
    }
  }
}

/** Words in the spelling of a type: `github`, `create_issue` become `GithubCreateIssue`. */
export function pascalCase(words: readonly string[]): string {
  const joined = words
    .flatMap((word) => word.normalize('NFC').split(/[^\p{ID_Start}\p{Nd}]+/u))
    .map(capitalized)
    .join('');
  return /^\p{ID_Start}/u.test(joined) ? joined : `Tool${joined}`;
}

function capitalized(word: string): string {
  // Some letters become two in upper case.
  return word.replace(/^\p{L}/u, (letter) =>
    letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter,
  );
}
