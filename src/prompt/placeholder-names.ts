/** The placeholders of a literal template, as the compiler can read them; of a text that is not literal, none. */
export type PlaceholderNames<Template extends string> = string extends Template ? never : NamesIn<Template, never>;

/** The template itself, or a type that says which of its placeholders is no field. */
export type CheckedTemplate<Template extends string, Fields extends object> = [
  Exclude<PlaceholderNames<Template>, FieldName<Fields>>,
] extends [never]
  ? Template
  : `Unknown placeholder: $${Exclude<PlaceholderNames<Template>, FieldName<Fields>>}`;

type FieldName<Fields> = Extract<keyof Fields, string>;

/** One step per dollar sign. */
type NamesIn<Text extends string, Found> = Text extends `${string}$${infer After}`
  ? After extends `$${infer Rest}`
    ? NamesIn<Rest, Found>
    : After extends `{${infer Inside}`
      ? NamesIn<Inside, Found | BracedName<Inside>>
      : NamesIn<After, Found | BareName<After>>
  : Found;

type BareName<Text extends string> = Text extends `${Letter}${string}` ? Word<Text, ''> : never;

type BracedName<Inside extends string> = Inside extends `${infer Name}}${string}`
  ? Name extends `${Letter}${string}`
    ? Word<Name, ''> extends Name
      ? Name
      : never
    : never
  : never;

/** The letters and digits a text begins with. */
type Word<Text extends string, Read extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Letter | Digit
    ? Word<Rest, `${Read}${First}`>
    : Read
  : Read;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

type SmallLetter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';

type Letter = SmallLetter | Uppercase<SmallLetter> | '_';
