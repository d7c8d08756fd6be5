/** Remembers in which order things were first seen, so that what is added later always comes last. */
export class StableOrder {
  readonly #places = new Map<string, number>();

  sorted<Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] {
    for (const { name } of items) if (!this.#places.has(name)) this.#places.set(name, this.#places.size);
    return items.toSorted((left, right) => this.#placeOf(left) - this.#placeOf(right));
  }

  #placeOf({ name }: { readonly name: string }): number {
    return this.#places.get(name) ?? Infinity;
  }
}
