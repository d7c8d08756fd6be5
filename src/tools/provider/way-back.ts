import { isJsonObject } from '../../call/json-object.ts';

/** Turns what a model wrote for a view into what the server takes. */
export type WayBack = (value: unknown) => unknown;

/** The way back where the view changed nothing. */
export const unchanged: WayBack = (value) => value;

/** How one property of a view comes back. */
export interface PropertyBack {
  /** The server's own name for it. */
  readonly name: string;
  readonly back: WayBack;
  /** A null means that it was left out. */
  readonly isNullAbsent: boolean;
}

/** The way back of an object; properties that the view does not name stay as they are. */
export function objectBack(properties: ReadonlyMap<string, PropertyBack>): WayBack {
  const changes = [...properties].filter(
    ([key, { name, back, isNullAbsent }]) => key !== name || back !== unchanged || isNullAbsent,
  );
  if (changes.length === 0) return unchanged;
  const byKey = new Map(changes);
  return (value) => {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, unknown])[] => {
      const property = byKey.get(key);
      if (property === undefined) return [[key, item]];
      return item === null && property.isNullAbsent ? [] : [[property.name, property.back(item)]];
    });
    return Object.fromEntries(entries);
  };
}

/** The way back of a list: its first items by their own ways, all others by one. */
export function listBack(first: readonly WayBack[], rest: WayBack): WayBack {
  if (rest === unchanged && first.every((back) => back === unchanged)) return unchanged;
  return (value) => (Array.isArray(value) ? value.map((item, index) => (first[index] ?? rest)(item)) : value);
}

/** One way after the other. */
export function inTurn(ways: readonly WayBack[]): WayBack {
  const changing = ways.filter((way) => way !== unchanged);
  if (changing.length === 0) return unchanged;
  return (value) => changing.reduce((current, way) => way(current), value);
}

/** The way back of a choice: that of the first form which the value fits. */
export function choiceBack(
  forms: readonly { readonly back: WayBack; readonly fits: (value: unknown) => boolean }[],
): WayBack {
  if (forms.every(({ back }) => back === unchanged)) return unchanged;
  return (value) => (forms.find(({ fits }) => fits(value))?.back ?? unchanged)(value);
}
