/** While one waits for what the other holds, it does what it can do before. */
const ABREAST = 2;

/** Runs work under one key in the order it came, two at a time; under different keys, at once. */
export function createQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const places = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  function leave(key: string): void {
    const place = places.get(key);
    if (!place) return;
    const next = place.waiting.shift();
    if (next) return next();
    place.running--;
    if (place.running === 0) places.delete(key);
  }

  return async (key, work) => {
    const place = places.get(key) ?? { running: 0, waiting: [] };
    places.set(key, place);
    if (place.running < ABREAST) place.running++;
    else await new Promise<void>((enter) => place.waiting.push(enter));
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
