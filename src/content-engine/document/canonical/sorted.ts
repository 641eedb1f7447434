/** A value with the members of its objects in the order of their names, without undefined ones. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/** Omits those of the named members that are empty text. */
export const omitEmptyText = (data: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(data).filter(([name, value]) => !names.includes(name) || value !== ''));
