import type { ToolCall } from '../call/tool-call.ts';
import type { ToolRef } from '../call/tool-ref.ts';
import { ALLOW, ask, deny } from './decision.ts';
import type { Decision } from './decision.ts';
import type { Effect } from './effect.ts';
import { parseToolPatterns } from './parse-tool-pattern.ts';
import { matchesTool, meetsConditions, singlesOut } from './tool-pattern.ts';
import type { ToolPattern } from './tool-pattern.ts';
import type { PolicyContext, PolicyScope, ToolPolicy } from './tool-policy.ts';

export interface PatternPolicyOptions {
  readonly name?: string;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** For what no pattern matches: allow, or with an allow list ask. */
  readonly otherwise?: Effect;
}

/** Decides by the names of tools and by arguments; deny beats ask, ask beats allow. */
export class PatternPolicy implements ToolPolicy {
  readonly name: string;
  readonly #rules: readonly Rule[];
  readonly #otherwise: Effect;
  readonly #known = new WeakMap<ToolRef, { readonly scope: PolicyScope; readonly rules: readonly Rule[] }>();

  constructor(options: PatternPolicyOptions) {
    this.name = options.name ?? 'patterns';
    this.#otherwise = options.otherwise ?? (options.allow ? 'ask' : 'allow');
    // The order is the rule: the first that matches decides.
    this.#rules = (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
      parseToolPatterns(options[effect] ?? []).map((pattern) => ({ effect, pattern })),
    );
    Object.freeze(this);
  }

  /** What needs no arguments to be decided; a tool is hidden only if every call of it would be denied. */
  admit(tool: ToolRef, scope: PolicyScope): Decision {
    const rules = this.#rulesFor(tool, scope);
    const decisive = rules.find(isAboutTool);
    if (decisive) return this.#decision(tool, decisive);
    const isOpen = rules.some(({ effect }) => effect !== this.#otherwise || effect !== 'deny');
    return isOpen ? ALLOW : this.#decision(tool, undefined);
  }

  /** What the arguments add to the admission. */
  check(call: ToolCall, { scope }: PolicyContext): Decision {
    const rules = this.#rulesFor(call.tool, scope);
    if (rules.every(isAboutTool)) return ALLOW;
    const rule = rules.find(({ pattern }) => meetsConditions(pattern, call));
    return rule && rule.effect === rules.find(isAboutTool)?.effect ? ALLOW : this.#decision(call.tool, rule);
  }

  /** A tool is the same object from call to call, until something about it changes. */
  #rulesFor(tool: ToolRef, scope: PolicyScope): readonly Rule[] {
    const known = this.#known.get(tool);
    if (known?.scope === scope) return known.rules;
    // What lets calls through must not do so for a stranger's tool of the same name.
    const rules = this.#rules.filter(({ effect, pattern }) =>
      (effect === 'allow' ? singlesOut : matchesTool)(pattern, tool, scope),
    );
    this.#known.set(tool, { scope, rules });
    return rules;
  }

  #decision(tool: ToolRef, rule: Rule | undefined): Decision {
    const effect = rule?.effect ?? this.#otherwise;
    if (effect === 'allow') return ALLOW;
    const name = tool.server === undefined ? tool.name : `${tool.server}/${tool.tool}`;
    const why = rule
      ? `'${name}' matches '${rule.pattern.text}' in the policy '${this.name}'`
      : `no pattern of the policy '${this.name}' matches '${name}'`;
    return effect === 'ask' ? ask(`Needs approval: ${why}.`) : deny(`Refused: ${why}.`);
  }
}

interface Rule {
  readonly effect: Effect;
  readonly pattern: ToolPattern;
}

function isAboutTool({ pattern }: Rule): boolean {
  return pattern.conditions.length === 0;
}
