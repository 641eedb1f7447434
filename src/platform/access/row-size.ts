/** The approximate size of an object or list, and of each of its members. */
const CONTAINER = 48;
const MEMBER = 24;

/** The memory that a cached value takes, in bytes, about. Stops at `max`: larger values are not kept. */
export function estimateSize(value: unknown, max: number): number {
  if (typeof value === 'string') return MEMBER + value.length;
  if (typeof value !== 'object' || value === null) return MEMBER;
  if (ArrayBuffer.isView(value)) return CONTAINER + value.byteLength;
  let size = CONTAINER;
  const add = (member: unknown): void => {
    if (size < max) size += MEMBER + estimateSize(member, max - size);
  };
  if (Array.isArray(value) || value instanceof Set) for (const member of value) add(member);
  else if (value instanceof Map) for (const member of value.values()) add(member);
  else for (const name in value) add((value as Readonly<Record<string, unknown>>)[name]);
  return size;
}
