/** A value while it is being put together, field by field; as soon as it is handed on, it is what it is. */
export type Mutable<Type> = { -readonly [Field in keyof Type]: Type[Field] };
