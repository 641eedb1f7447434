/** How long sliced work may block the event loop. */
const SLICE_MS = 15;

/** Work that waits for its next slice, first come, first served. */
const waiting: (() => void)[] = [];
let isScheduled = false;

/** One queue for the process: each iteration of the event loop runs one slice, however many tasks are sliced. */
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

/** Runs a generator in slices of `SLICE_MS`. Other work waits for one slice at most, or for one step if that takes longer. */
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

/** Items that take less than a slice. Waiting for a turn would take longer. */
const FEW = 200;

/** `items.flatMap(map)`, in slices if there are many. */
export async function flatMapInSlices<T, R>(
  items: readonly T[],
  map: (item: T) => R | readonly R[],
): Promise<R[]> {
  return items.length <= FEW ? items.flatMap(map) : inSlices(flatMapInSteps(items, map));
}

function* flatMapInSteps<T, R>(
  items: readonly T[],
  map: (item: T) => R | readonly R[],
): Generator<void, R[], void> {
  const portions: R[][] = [];
  for (let at = 0; at < items.length; at += FEW) {
    portions.push(items.slice(at, at + FEW).flatMap(map));
    yield;
  }
  return portions.flat();
}

/** For small tasks that follow one another: pauses before one if those before it have used up a slice. */
export function tasksInSlices(): <T>(task: () => T) => Promise<T> {
  let used = 0;
  return async (task) => {
    if (used >= SLICE_MS) {
      await pause();
      used = 0;
    }
    const start = performance.now();
    try {
      return task();
    } finally {
      used += performance.now() - start;
    }
  };
}

/** Tasks of `inTurn` that wait for the next turn, first come, first served. */
const tasks: (() => void)[] = [];
/** Time that such tasks have used in this turn. */
let used = 0;
let isTurnEndScheduled = false;

/** Runs a small task now, or in a later turn if such tasks, which may be those of many requests, have used up a slice. */
export function inTurn<T>(task: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    tasks.push(() => {
      try {
        resolve(task());
      } catch (error) {
        reject(error);
      }
    });
    runTasks();
  });
}

function runTasks(): void {
  while (used < SLICE_MS) {
    const task = tasks.shift();
    if (!task) break;
    const start = performance.now();
    task();
    used += performance.now() - start;
  }
  if (isTurnEndScheduled) return;
  isTurnEndScheduled = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  isTurnEndScheduled = false;
  used = 0;
  if (tasks.length > 0) runTasks();
}

/** For asynchronous work: call it between two steps. It waits for the next turn when the slice is used up. */
export function pauseBetweenSlices(): () => Promise<void> {
  let end = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < end) return;
    await pause();
    end = performance.now() + SLICE_MS;
  };
}

/** The first turn may belong to the iteration of the loop that is running: timers wait for the second one. */
async function pause(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
