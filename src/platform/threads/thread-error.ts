/** `busy`: too many tasks wait. `time`, `memory`: the task exceeded its limit. `closed`: the program is ending. */
export type ThreadFailure = 'busy' | 'time' | 'memory' | 'closed';

/** Why a task did not finish, other than by an error of its own. */
export class ThreadError extends Error {
  readonly failure: ThreadFailure;

  constructor(failure: ThreadFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}
