import type { SessionScope } from '../session/session-scope.ts';
import { messageOf } from '../errors.ts';
import type { AnyParams, BoundParams } from './params.ts';
import { PromptRenderError, PromptValidationError } from './prompt-errors.ts';
import type { PromptPlan, SectionNode } from './prompt-plan.ts';
import type { BodyContext } from './section.ts';

/** What a prompt was given, as one rendering sees it. */
export interface RenderGround {
  readonly plan: PromptPlan;
  readonly bound: ReadonlyMap<AnyParams, BoundParams>;
  readonly session: SessionScope | undefined;
}

/** What one section's functions get in one rendering; params are found when something looks at them. */
export class NodeContext implements BodyContext {
  readonly path: string;
  readonly depth: number;
  readonly number: string;
  readonly session: SessionScope | undefined;
  readonly #node: SectionNode;
  readonly #ground: RenderGround;
  #params: object | undefined;

  constructor(node: SectionNode, ground: RenderGround) {
    this.path = node.path;
    this.depth = node.depth;
    this.number = node.number;
    this.session = ground.session;
    this.#node = node;
    this.#ground = ground;
  }

  get params(): object {
    this.#params ??= this.#find();
    return this.#params;
  }

  /** What is bound, else the section's own defaults, else the first there are in the template, else those of the kind. */
  #find(): object {
    const { params, defaultParams } = this.#node.section;
    if (!params) return NO_VALUES;
    const { bound, plan } = this.#ground;
    const found = bound.get(params) ?? defaultParams ?? plan.params.get(params);
    const values = found ? found.values : params.defaultValues();
    if (values) return values;
    throw new PromptRenderError(`Missing parameters for section. Bind '${params.name}'.`, { section: this.path });
  }
}

const NO_VALUES: object = Object.freeze({});

/** Runs what an author wrote; whatever it throws says which section it was. */
export function within<Answer>(path: string, what: string, run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    throw toPromptError(path, what, error);
  }
}

/** What `enabled` has said, which must not be a promise. */
export function requireBoolean(answer: unknown, section: string): boolean {
  if (typeof answer === 'boolean') return answer;
  throw new PromptRenderError('enabled must give true or false, and not a promise of it', { section });
}

/** The error of a prompt as it is, anything else with its place. */
export function toPromptError(section: string, what: string, cause: unknown): Error {
  if (cause instanceof PromptRenderError || cause instanceof PromptValidationError) return cause;
  return new PromptRenderError(`${what} failed: ${messageOf(cause)}`, { section, cause });
}
