import { McpError } from '../errors.ts';

/** Where in a prompt something went wrong. */
export interface PromptPlace {
  /** The section's whole path; absent when the prompt itself is meant. */
  readonly section?: string;
  readonly placeholder?: string;
  readonly cause?: unknown;
}

/** A section, a template or what was bound to it is not as it must be: its author has to change it. */
export class PromptValidationError extends McpError {
  readonly section: string | undefined;
  readonly placeholder: string | undefined;

  constructor(message: string, place: PromptPlace = {}) {
    super('PROMPT_INVALID', at(message, place), place);
    this.section = place.section;
    this.placeholder = place.placeholder;
  }
}

/** A prompt that is well declared could not be rendered this time. */
export class PromptRenderError extends McpError {
  readonly section: string | undefined;
  readonly placeholder: string | undefined;

  constructor(message: string, place: PromptPlace = {}) {
    super('PROMPT_RENDER_FAILED', at(message, place), place);
    this.section = place.section;
    this.placeholder = place.placeholder;
  }
}

function at(message: string, { section }: PromptPlace): string {
  return section === undefined ? message : `section '${section}': ${message}`;
}
