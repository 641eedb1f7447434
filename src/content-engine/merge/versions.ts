import { isSame } from '../map/index.ts';

/** Three versions of one thing; undefined is one of its values. */
export interface Three<T> {
  readonly ancestor: T;
  readonly primary: T;
  readonly proposed: T;
}

/** What stands when at most one side changed it, or both alike. Undefined: they differ. */
export function agreed<T>(
  { ancestor, primary, proposed }: Three<T>,
  equals: (a: T, b: T) => boolean = isEqual,
): { readonly value: T } | undefined {
  if (equals(primary, ancestor) || equals(primary, proposed)) return { value: proposed };
  if (equals(proposed, ancestor)) return { value: primary };
  return undefined;
}

export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (!(typeof a === 'string' && typeof b === 'string') && isSame(a ?? null, b ?? null));

export const mapThree = <T, U>(three: Three<T>, map: (value: T) => U): Three<U> => ({
  ancestor: map(three.ancestor),
  primary: map(three.primary),
  proposed: map(three.proposed),
});

/** For a conflict: versions that are not there are absent. */
export const versions = <T>(three: Three<T | undefined>): Partial<Three<T>> =>
  Object.fromEntries(Object.entries(three).filter(([, value]) => value !== undefined)) as Partial<Three<T>>;
