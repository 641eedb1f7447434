/** Thrown where a text would cost more than its budget. The message continues a sentence: "Page "Setup" has more …". */
export class BudgetExceeded extends Error {
  /** Survives the way out of a thread, as the class does not. */
  readonly code = 'BUDGET_EXCEEDED';
}

export const isBudgetExceeded = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'BUDGET_EXCEEDED';

/** What one piece of work may spend in all. */
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
