import type { Size } from '../size-of-text.ts';

/** Work on the whole bodies of an entry. */
export interface BodyTask<T> {
  /** The page or reusable content of the bodies. */
  readonly entry: string;
  /** The size of the bodies. */
  readonly size: Size;
  readonly perform: () => T;
}

/** Performs tasks within the limits of the caller. Results are in the order of the tasks. */
export type RunBodyTasks = <T>(tasks: readonly BodyTask<T>[]) => T[];

export const runWithoutLimits: RunBodyTasks = (tasks) => tasks.map(({ perform }) => perform());
