import { canonicalText, hashOf } from '../map/index.ts';
import type { Elsewhere, Inline } from './records.ts';

/** Characters of JSON text that a record holds of one value. More, and sixteen neighbours would be slow to write. */
export const INLINE_LIMIT = 2048;

export interface Inlined<T extends object | string> {
  readonly value: Inline<T>;
  /** To be stored under the hash in `value`, where it did not fit. */
  readonly blob?: string;
}

export function inline<T extends object | string>(value: T): Inlined<T> {
  const text = canonicalText(value);
  if (text.length <= INLINE_LIMIT) return { value };
  return { value: { hash: hashOf(text) }, blob: text };
}

export const isElsewhere = <T extends object | string>(value: Inline<T>): value is Elsewhere =>
  typeof value === 'object' &&
  Object.keys(value).length === 1 &&
  typeof (value as Elsewhere).hash === 'string';

/** The inverse of `inline`, for text that came from the store. */
export const fromBlob = <T extends object | string>(blob: string): T => JSON.parse(blob) as T;
