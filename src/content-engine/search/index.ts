export { excerptOf, placesOf, termsAt } from './excerpt.ts';
export { composed } from './fold.ts';
export { isForgiven, nearest, wordsLike } from './near.ts';
export { piecesOf } from './pieces.ts';
export { parseQuery, type Term } from './query.ts';
export {
  hasAll,
  lookupsOf,
  matchesOf,
  ranked,
  sectionsOf,
  weightsOf,
  type Lookup,
  type Match,
  type Ranked,
} from './rank.ts';
export { blocksOf, entriesOf, mergeInto, segmentOf, type PageText, type Segment } from './segment.ts';
