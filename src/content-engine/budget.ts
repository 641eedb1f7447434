/** Thrown when a text exceeds its budget. The message continues a sentence: "Page "Setup" has more …". */
export class BudgetExceeded extends Error {
  /** Identifies the error after it was copied from a thread, which loses the class. */
  readonly code = 'BUDGET_EXCEEDED';
}

export const isBudgetExceeded = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'BUDGET_EXCEEDED';

/** The budget of one task. */
export class Budget {
  #left: number;
  readonly #message: string;

  constructor(units: number, message: string) {
    this.#left = units;
    this.#message = message;
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new BudgetExceeded(this.#message);
  }
}
