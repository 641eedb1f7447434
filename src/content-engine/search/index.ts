/** Full-text search: tokenizer, index segments, ranking, typo correction and excerpts. Pure. */
export { buildSegment, sizeOf, type BuiltSegment, type SegmentInput } from './build-segment.ts';
export { countTerms, excerptOf, occurrencesOf } from './excerpt.ts';
export { composed } from './fold.ts';
export { nearestWords } from './fuzzy-match.ts';
export { passagesOf } from './passages.ts';
export { CURRENT_FORM, type Form } from './positions.ts';
export { parseQuery, type Term } from './query.ts';
export { lookupEnd, lookupsOf, lookupStart, type Lookup } from './lookups.ts';
export { matchingSections, type MatchingSection } from './matching-sections.ts';
export { hasAllTerms, matchesOf, sectionsOf, type Match } from './matches.ts';
export { rankMatches, summarizePositions, weightsOf, type Ranked } from './rank.ts';
export { entriesWith, titleKey, type Block, type PageText } from './segment.ts';
