import type { SessionScope } from '../session/session-scope.ts';

/** What a choice may look at besides parameters. */
export interface ChoiceScope {
  /** Absent when the prompt is rendered for no session. */
  readonly session: SessionScope | undefined;
}

/** What a section's functions are asked with; params may be found out only when they are looked at. */
export interface ChoiceContext<Fields extends object = object> extends ChoiceScope {
  readonly params: Fields;
  /** Where the section stands, for what is said when something fails. */
  readonly path?: string;
}

/** A function of `()`, `(params)`, `({ session })` or `(params, { session })`; its first argument holds fields and session both. */
export type Choice<Fields extends object, Answer> = (
  params: Readonly<Fields> & Omit<ChoiceScope, keyof Fields>,
  scope: ChoiceScope,
) => Answer;

/** A choice of which the fields are no longer known to the compiler. */
export type AnyChoice<Answer> = (params: never, scope: ChoiceScope) => Answer;

/** Calls a choice in the shape it has; one that takes nothing does not cause params to be found. */
export function choose<Answer>(choice: AnyChoice<Answer>, context: ChoiceContext): Answer {
  const scope: ChoiceScope = { session: context.session };
  const answer =
    choice.length === 0 ? (choice as () => Answer)() : choice({ ...scope, ...context.params } as never, scope);
  // Whoever asked refuses a promise, and then nobody waits for it.
  if (answer instanceof Promise) answer.catch(() => undefined);
  return answer;
}
