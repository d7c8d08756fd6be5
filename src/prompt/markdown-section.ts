import type { CheckedTemplate } from './placeholder-names.ts';
import { PromptRenderError } from './prompt-errors.ts';
import { Section } from './section.ts';
import type { BodyContext, SectionOptions } from './section.ts';
import { compileTemplate } from './template-text.ts';
import type { TemplateText } from './template-text.ts';

/** What a section of text is made of. */
export interface MarkdownSectionOptions<
  Fields extends object = object,
  Template extends string = string,
> extends SectionOptions<Fields> {
  /** The text; `$name` or `${name}` stands for a field of the params, `$$` for a dollar sign. */
  readonly template: CheckedTemplate<Template, NoInfer<Fields>>;
}

/** What may be changed in a clone. */
export type MarkdownChanges<Fields extends object> = Partial<SectionOptions<Fields>> & { readonly template?: string };

/** A section whose body is a text with placeholders. */
export class MarkdownSection<Fields extends object = object, Template extends string = string> extends Section<Fields> {
  readonly template: string;
  readonly #text: TemplateText;
  readonly #options: MarkdownSectionOptions<Fields, Template>;

  constructor(options: MarkdownSectionOptions<Fields, Template>) {
    super(options);
    this.template = options.template;
    this.#text = compileTemplate(options.template);
    this.#options = options;
  }

  override renderBody({ path, params }: BodyContext<Fields>): string {
    return this.#text.render(params, (placeholder) => {
      throw new PromptRenderError(`no value for $${placeholder}`, { section: path, placeholder });
    });
  }

  override placeholders(): ReadonlySet<string> {
    return this.#text.names;
  }

  override bodyTemplate(): string {
    return this.template;
  }

  /** What was given is given again, so functions keep the shape they were written in. */
  override clone(changes: MarkdownChanges<Fields> = {}): MarkdownSection<Fields> {
    const children = changes.children ?? this.children.map((child) => child.clone());
    return new MarkdownSection<Fields>({ ...this.#options, ...changes, children });
  }
}
