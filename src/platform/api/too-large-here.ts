import type { Context } from './context.ts';

/**
 * What is small enough for the front, the process that accepts connections: some 20 ms of work, so that no other request
 * waits for longer. The heavy process performs everything else (decision 68).
 */
export const MAX_SMALL = {
  /** Bytes of a request's body. */
  body: 256 * 1024,
  /** Bytes of a file that is parsed. */
  file: 256 * 1024,
  /** Characters of the texts that are parsed, rendered or compared together. */
  text: 50_000,
  /** Characters of an answer as JSON. */
  answer: 1_000_000,
  /** Characters of parts of OpenAPI specifications as JSON, which a page shows. */
  openapi: 200_000,
  /** Pages of a tree, rows of a list: what is visited one by one. */
  items: 2_000,
  /** Records of a tree that is read once, and kept: it takes longer, but rarely. */
  tree: 10_000,
} as const;

/** Thrown in the front: the transaction is rolled back, and the heavy process performs the request from its beginning. */
export class TooLargeHere extends Error {
  constructor(measure: keyof typeof MAX_SMALL, amount: number) {
    super(`${amount} is too much for the front: ${measure} of at most ${MAX_SMALL[measure]}`);
  }
}

/** Call it as soon as a size is known, before the work that depends on it. In the heavy process it does nothing. */
export function requireSmall(
  { isFront }: Pick<Context, 'isFront'>,
  measure: keyof typeof MAX_SMALL,
  amount: number,
): void {
  if (isFront && amount > MAX_SMALL[measure]) throw new TooLargeHere(measure, amount);
}
