import { unavailable } from '../../platform/api/errors.ts';

/** Pictures that may wait. Programs that collect links ask for a few at a time. */
const MAX_WAITING = 20;

/** Draws one picture at a time: each takes a core for a moment, and pages need it more. */
export interface Drawings {
  run<T>(draw: () => Promise<T>): Promise<T>;
}

export function createDrawings(): Drawings {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<T>(draw: () => Promise<T>): Promise<T> {
      if (waiting >= MAX_WAITING)
        return Promise.reject(unavailable('Too many pictures are drawn. Retry later.'));
      waiting++;
      const drawn = last.then(draw, draw).finally(() => waiting--);
      last = drawn.catch(() => undefined);
      return drawn;
    },
  };
}
