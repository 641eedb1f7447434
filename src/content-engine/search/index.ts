/** Full-text search: tokenizer, index segments, ranking, typo correction and excerpts. Pure. */
export { buildSegment, type BuiltSegment, type SegmentInput } from './segments/build-segment.ts';
export { countTerms, excerptOf, occurrencesOf } from './excerpt.ts';
export { composed } from './words/fold.ts';
export { nearestWords } from './words/fuzzy-match.ts';
export { passagesOf } from './passages.ts';
export { parseQuery, type Term } from './words/query.ts';
export { lookupEnd, lookupsOf, lookupStart, type Lookup } from './lookups.ts';
export { matchingSections, type MatchingSection } from './matching-sections.ts';
export { matchText, type Sought, type TextMatch } from './match-text.ts';
export { hasAllTerms, matchesOf, sectionsOf, type Match } from './matches.ts';
export { rankMatches, summarizePositions, weightsOf, type Ranked } from './rank.ts';
export { entriesWith, type Block } from './segments/blocks.ts';
export { titleKey, type PageText } from './segments/segment.ts';
