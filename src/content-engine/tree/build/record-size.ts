import type { ContentRecord } from '../records.ts';

/** Header of an object or a string, and the reference to it. */
const OVERHEAD = 24;
/** The entries of a record in the maps of a tree. */
const INDEXED = 300;

/** About how many bytes of memory a record takes in a tree. An upper limit for text, which has one or two bytes a character. */
export const sizeOfRecord = (record: ContentRecord): number => INDEXED + sizeOf(record);

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD + 2 * value.length;
  if (typeof value !== 'object' || value === null) return OVERHEAD;
  let size = OVERHEAD;
  for (const name in value) size += name.length + sizeOf((value as Readonly<Record<string, unknown>>)[name]);
  return size;
}
