import type { PromptTemplate } from '../prompt-template.ts';
import type { Section } from '../section.ts';

/** Something about a section that makes it hard for a model to find what it needs. */
export interface PromptWarning {
  readonly section: string;
  readonly problem: 'no-summary' | 'many-tools' | 'unnamed-tools';
  readonly advice: string;
}

const MANY_TOOLS = 10;

export interface LintOptions {
  /** What is known of a server's tools, by their own names; servers that nobody knows are not judged. */
  readonly toolsOf?: (server: string) => readonly string[] | undefined;
}

/** Looks for closed sections that models pass by: without a summary, with too many tools, or silent about them. */
export function lintPrompt(template: PromptTemplate, options: LintOptions = {}): readonly PromptWarning[] {
  return template.sections.flatMap((section) => lintSection(section, section.key, options));
}

function lintSection(section: Section, path: string, options: LintOptions): readonly PromptWarning[] {
  const below = section.children.flatMap((child) => lintSection(child, `${path}.${child.key}`, options));
  return [...problemsOf(section, path, options), ...below];
}

function problemsOf(section: Section, path: string, { toolsOf }: LintOptions): readonly PromptWarning[] {
  const names = ownTools(section, toolsOf);
  const warnings: PromptWarning[] = [];
  if (names.length > MANY_TOOLS) {
    const advice = `it has ${names.length} tools; split it, so that opening it brings fewer than ${MANY_TOOLS + 1}`;
    warnings.push({ section: path, problem: 'many-tools', advice });
  }
  if (!mayBeClosed(section)) return warnings;
  const { summary } = section;
  if (summary === undefined) {
    const advice = 'it can be closed and has no summary; say in one line what it is for and name its tools';
    return [...warnings, { section: path, problem: 'no-summary', advice }];
  }
  if (names.length === 0 || names.some((name) => summary.includes(name))) return warnings;
  const advice = `its summary names none of its tools, and models rarely open such a section; name some: ${names.slice(0, 5).join(', ')}`;
  return [...warnings, { section: path, problem: 'unnamed-tools', advice }];
}

/** A choice that is made at rendering may close it. */
function mayBeClosed(section: Section): boolean {
  if (!section.choosesVisibility) return false;
  try {
    return section.visibilityFor({ params: section.defaultParams?.values ?? {}, session: undefined }) === 'summary';
  } catch {
    return true;
  }
}

function ownTools(section: Section, toolsOf: LintOptions['toolsOf']): readonly string[] {
  const native = section.declaredTools.map(({ name }) => name);
  try {
    return [...native, ...section.mcps().flatMap(({ name }) => toolsOf?.(name) ?? [])];
  } catch {
    return native;
  }
}
