const MAX_LINES = 20;
const MAX_LINE = 300;

/** Lines about what was lost, each once; a hostile schema cannot make it long. */
export class LossReport {
  readonly #lines = new Set<string>();
  #more = 0;

  add(line: string): void {
    const short = line.slice(0, MAX_LINE);
    if (this.#lines.size < MAX_LINES) this.#lines.add(short);
    else if (!this.#lines.has(short)) this.#more += 1;
  }

  lines(): readonly string[] {
    return this.#more > 0 ? [...this.#lines, `and ${this.#more} more like these`] : [...this.#lines];
  }
}
