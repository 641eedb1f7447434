export { excerptOf, placesOf, termsAt } from './excerpt.ts';
export { composed } from './fold.ts';
export { nearestWords } from './fuzzy-match.ts';
export { piecesOf } from './passages.ts';
export { CURRENT_FORM, type Form } from './positions.ts';
export { parseQuery, type Term } from './query.ts';
export {
  endOf,
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
export {
  blocksOf,
  entriesOf,
  mergeInto,
  segmentOf,
  titleKey,
  wordsOf,
  type Block,
  type PageText,
  type Segment,
} from './segment.ts';
