import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Counts objects that are still in use. Wait for a turn of the event loop before `count`: until then, none is collected. */
export function trackAlive<T extends object>(): {
  readonly add: (object: T) => T;
  readonly count: () => number;
} {
  const references: WeakRef<T>[] = [];
  return {
    add(object) {
      references.push(new WeakRef(object));
      return object;
    },
    count() {
      collectGarbage();
      return references.filter((reference) => reference.deref() !== undefined).length;
    },
  };
}

/** How many bytes of the heap are still in use after the work. Bytes of buffers are not part of the heap. */
export async function retainedHeap(work: () => unknown): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await work();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}
