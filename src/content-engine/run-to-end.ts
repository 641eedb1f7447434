/** Runs work that is divided into steps at once, and returns its result. */
export function runToEnd<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
