import { LRUCache } from 'lru-cache';
import type { Answer } from './answer.ts';

/** Answers that are functions of a row and a URL. A cached row is one object, so its identity is the key. */
export interface AnswerCache {
  /** Undefined for a row that is seen for the first time: most rows are not cached, and their answers need no entry. */
  keyOf(row: object, url: string): string | undefined;
  get(key: string): Answer | undefined;
  set(key: string, answer: Answer): void;
}

export function createAnswerCache(): AnswerCache {
  const answers = new LRUCache<string, Answer>({
    maxSize: 16 * 1024 * 1024,
    maxEntrySize: 256 * 1024,
    sizeCalculation: ({ body }, key) => body.length + key.length + 1024,
  });
  const serials = new WeakMap<object, number>();
  let lastSerial = 0;
  return {
    keyOf(row, url) {
      const serial = serials.get(row);
      if (serial === undefined) serials.set(row, ++lastSerial);
      return serial === undefined ? undefined : `${serial} ${url}`;
    },
    get: (key) => answers.get(key),
    set: (key, answer) => void answers.set(key, answer),
  };
}
