/** Finds the ends of code spans. Runs of backticks are indexed once, so that a run without a partner costs nothing. */
export class CodeSpans {
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  /** Length of a run of backticks -> offset of the last run of that length. */
  #runs: Map<number, number> | undefined;

  constructor(text: string, from: number, to: number) {
    this.#text = text;
    this.#from = from;
    this.#to = to;
  }

  /** Where the backticks at `at` end. */
  ticksEnd(at: number): number {
    let end = at;
    while (end < this.#to && this.#text.charCodeAt(end) === 96) end++;
    return end;
  }

  /** The offset of the run of `length` backticks that closes a span with content from `from`; -1 if there is none. */
  closing(from: number, length: number): number {
    this.#runs ??= this.#countRuns();
    if ((this.#runs.get(length) ?? -1) < from) return -1;
    let at = from;
    while (at < this.#to) {
      const start = this.#text.indexOf('`', at);
      if (start < 0 || start >= this.#to) return -1;
      const end = this.ticksEnd(start);
      if (end - start === length) return start;
      at = end;
    }
    return -1;
  }

  #countRuns(): Map<number, number> {
    const runs = new Map<number, number>();
    for (let at = this.#from; at < this.#to; at++) {
      if (this.#text.charCodeAt(at) !== 96) continue;
      const start = at;
      at = this.ticksEnd(at);
      runs.set(at - start, start);
    }
    return runs;
  }
}
