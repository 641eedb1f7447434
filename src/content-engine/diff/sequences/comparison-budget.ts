/**
 * How many comparisons of two entries a task may make. Counted, not timed, so that the same input has the same result on
 * every machine. Where it ends, callers compare coarser units: they never fail.
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

  /** Counts work that is done in any case, because it is linear. */
  charge(cost: number): void {
    this.#spent += cost;
  }

  /** Whether work may be done that is not linear. If so, it is counted. */
  take(cost: number): boolean {
    if (cost > this.left) return false;
    this.#spent += cost;
    return true;
  }
}

/** For one body: some 50 ms, so that a small one can be merged on the event loop. */
export const BODY_BUDGET = 10_000_000;

/** For all bodies of one merge together, in equal parts: hostile pages cost themselves, not the others. */
export const MERGE_BUDGET = 1_000_000_000;
