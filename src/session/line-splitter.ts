const NEWLINE = 0x0a;

/** Makes lines of bytes as they come; a line over the limit is passed over, because nothing else bounds it. */
export class LineSplitter {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that these bytes complete, without their newlines; undefined stands for one that was too long. */
  push(chunk: Buffer): readonly (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.end());
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  /** The line that has begun, as if it were complete. */
  end(): string | undefined {
    const line = this.#bytes > this.#maxBytes ? undefined : Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    // A copy, because the reader fills its buffer again.
    if (this.#bytes <= this.#maxBytes) this.#pieces.push(Buffer.from(piece));
    else this.#pieces = [];
  }
}
