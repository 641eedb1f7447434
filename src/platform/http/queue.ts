/** Runs work under one key one after another, in the order it came; under different keys, at once. */
export function createQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, run);
    const forget = () => void (last.get(key) === run && last.delete(key));
    run.then(forget, forget);
    return run;
  };
}
