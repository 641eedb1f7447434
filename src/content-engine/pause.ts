/** Awaited between steps of long work. The caller decides whether other work runs meanwhile. */
export type Pause = () => Promise<void>;

export const withoutPauses: Pause = () => Promise.resolve();

/** Runs work that is divided into steps, with a pause after each. */
export async function runWithPauses<T>(work: Generator<void, T, void>, pause: Pause): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await pause();
  }
}
