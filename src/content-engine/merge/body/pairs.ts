import { pairUp, type Pairs } from '../../markdown/diff.ts';

/** Longer lists are not compared: nobody reads such a text block by block. */
const LONGEST = 50_000;

/** Which entries of two lists belong together, in order on both sides. */
export const pairsOf = (one: readonly string[], other: readonly string[]): Pairs =>
  one.length > LONGEST || other.length > LONGEST ? [] : pairUp(one, other);
