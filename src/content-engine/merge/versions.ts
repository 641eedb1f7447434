import { isSame } from '../map/index.ts';

/** The three versions of a three-way merge. Undefined: the version does not exist. */
export interface Versions<T> {
  readonly ancestor: T;
  readonly primary: T;
  readonly proposed: T;
}

/** The result if at most one side changed the value, or both made the same change. Undefined: the changes differ. */
export function trivialMerge<T>(
  { ancestor, primary, proposed }: Versions<T>,
  equals: (a: T, b: T) => boolean = isEqual,
): { readonly value: T } | undefined {
  if (equals(primary, ancestor) || equals(primary, proposed)) return { value: proposed };
  if (equals(proposed, ancestor)) return { value: primary };
  return undefined;
}

export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (!(typeof a === 'string' && typeof b === 'string') && isSame(a ?? null, b ?? null));

export const mapVersions = <T, U>(versions: Versions<T>, map: (value: T) => U): Versions<U> => ({
  ancestor: map(versions.ancestor),
  primary: map(versions.primary),
  proposed: map(versions.proposed),
});

/** Omits versions that do not exist, as conflicts are stored. */
export const presentVersions = <T>(versions: Versions<T | undefined>): Partial<Versions<T>> =>
  Object.fromEntries(Object.entries(versions).filter(([, value]) => value !== undefined)) as Partial<
    Versions<T>
  >;
