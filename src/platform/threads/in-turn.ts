/** How long the tasks of one turn of the event loop may take. */
const TURN_MS = 15;

/** Tasks that wait for the next turn, first come, first served. */
const tasks: (() => void)[] = [];
/** Time that tasks have used in this turn. */
let used = 0;
let isTurnEndScheduled = false;

/** Runs a small task now, or in a later turn if such tasks, which may be those of many requests, have used up this one. */
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
  while (used < TURN_MS) {
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
