/** Reads many ids in one go. */
type ReadMany<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/** So many reads at once; what comes meanwhile waits for the next one. */
const MAX_RUNNING = 2;

interface Batch<T> {
  readonly ids: Set<string>;
  readonly result: Promise<ReadonlyMap<string, T>>;
  readonly run: () => void;
}

/**
 * One read for all who ask at about the same time. A read never answers somebody who asked after it had begun, so
 * what is answered is never older than the question.
 */
export function gather<T>(readMany: ReadMany<T>): (id: string) => Promise<T | undefined> {
  let waiting: Batch<T> | undefined;
  let running = 0;

  function open(): Batch<T> {
    const ids = new Set<string>();
    let run = () => undefined as void;
    const result = new Promise<ReadonlyMap<string, T>>((resolve, reject) => {
      run = () => {
        running++;
        readMany([...ids])
          .then(resolve, reject)
          .finally(() => {
            running--;
            start();
          });
      };
    });
    return { ids, result, run };
  }

  function start(): void {
    if (!waiting || running >= MAX_RUNNING) return;
    const batch = waiting;
    waiting = undefined;
    batch.run();
  }

  return async (id) => {
    if (!waiting) {
      waiting = open();
      setImmediate(start);
    }
    const { ids, result } = waiting;
    ids.add(id);
    return (await result).get(id);
  };
}
