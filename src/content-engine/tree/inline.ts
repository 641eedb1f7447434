import { canonicalText, hashOf } from '../map/index.ts';
import type { Inline, OutOfLine } from './records.ts';

/** The maximum JSON length of an inline value. An edit rewrites up to 16 records, so each must be small. */
export const INLINE_LIMIT = 2048;

export interface Inlined<T extends object | string> {
  readonly value: Inline<T>;
  /** The text to store under the hash in `value`. Absent: the value is inline. */
  readonly blob?: string;
}

export function inline<T extends object | string>(value: T): Inlined<T> {
  const text = canonicalText(value);
  if (text.length <= INLINE_LIMIT) return { value };
  return { value: { hash: hashOf(text) }, blob: text };
}

export const isOutOfLine = <T extends object | string>(value: Inline<T>): value is OutOfLine =>
  typeof value === 'object' &&
  Object.keys(value).length === 1 &&
  typeof (value as OutOfLine).hash === 'string';

/** The inverse of `inline`, for a text from the store. */
export const fromBlob = <T extends object | string>(blob: string): T => JSON.parse(blob) as T;
