/** How long work holds the event loop before other requests get their turn. */
const SLICE_MS = 15;

/** Work that waits for its next slice, first come, first served. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** The event loop is one for the process, and so is this queue: one slice runs per turn, however many works are sliced. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    waiting.shift()?.();
    if (waiting.length > 0) schedule();
  });
}

/** Runs work that yields between its steps, so that however long it takes, no step but its longest delays others. */
export async function inSlices<T>(work: Generator<void, T, void>): Promise<T> {
  if (waiting.length > 0) await nextTurn();
  for (;;) {
    const end = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await nextTurn();
  }
}
