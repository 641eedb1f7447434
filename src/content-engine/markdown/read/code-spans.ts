/** Finds where code spans end. Lengths of runs are counted once, so that a run without a partner costs nothing. */
export class CodeSpans {
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;
  /** Run length of backticks -> the last place where one of it stands. */
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

  /** Where the run of so many backticks begins that closes a span whose content begins at `from`; -1 if none does. */
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
