/**
 * The number of comparisons that a task may make. Counted, not timed, so that the same input has the same result on
 * every machine. When it is exhausted, callers compare coarser units instead of failing.
 */
export class ComparisonBudget {
  readonly #limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  get left(): number {
    return Math.max(0, this.#limit - this.#spent);
  }

  /** Counts linear work, which is always done. */
  charge(cost: number): void {
    this.#spent += cost;
  }

  /** Whether the budget covers this non-linear work. If so, the work is counted. */
  take(cost: number): boolean {
    if (cost > this.left) return false;
    this.#spent += cost;
    return true;
  }
}

/** The budget of one body: about 50 ms. */
export const BODY_BUDGET = 10_000_000;

/** The budget of all bodies of one merge, in equal shares, so that a hostile page does not use up the budget of others. */
export const MERGE_BUDGET = 1_000_000_000;
