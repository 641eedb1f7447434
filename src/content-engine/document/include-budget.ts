import { isBudgetExceeded } from '../budget.ts';
import { sizeOfDocument } from './limits.ts';
import type { JSONDocument } from './nodes.ts';

/** Characters that all reusable contents of a page may add: the size of the largest page. */
const MAX_INCLUDED = 2_000_000;

/**
 * The limit of what reusable contents add to one page. A large content can be included many times, and contents that
 * include each other grow exponentially. What exceeds it is left out.
 */
export class IncludeBudget {
  #left = MAX_INCLUDED;
  #isFirst = true;

  /** Whether there is room for a content, which is then taken. The first has room: it is no larger than a page may be. */
  admit(content: JSONDocument): boolean {
    const isAdmitted = this.#isFirst || this.#left >= sizeOf(content);
    this.#isFirst = false;
    this.#left -= sizeOf(content);
    return isAdmitted;
  }
}

/** A content may be included thousands of times. */
const sizes = new WeakMap<JSONDocument, number>();

function sizeOf(content: JSONDocument): number {
  let size = sizes.get(content);
  if (size === undefined) {
    size = measure(content);
    sizes.set(content, size);
  }
  return size;
}

function measure(content: JSONDocument): number {
  try {
    return sizeOfDocument(content);
  } catch (error) {
    if (isBudgetExceeded(error)) return MAX_INCLUDED + 1;
    throw error;
  }
}
