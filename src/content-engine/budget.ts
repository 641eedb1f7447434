/** Thrown where a text would cost more than its budget. The message continues "The page …". */
export class BudgetExceeded extends Error {
  /** Survives the way out of a thread, as the class does not. */
  readonly code = 'BUDGET_EXCEEDED';
}

export const isBudgetExceeded = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'BUDGET_EXCEEDED';
