/**
 * Documents as typed nodes: their text, sections, canonical form, keys, references, checks and published form. Knows
 * nothing of Markdown.
 */
export type * from './nodes.ts';
export { COLORS, PLAIN_MARKS } from './check/inlines.ts';
export type * from './table-types.ts';
export { documentOfBlocks, paragraphOf, plainDocument, plainTextNode, SCHEMA_VERSION } from './create.ts';
export { childBlocks, childrenOf, contentBlocks, eachBlock, fragmentBlocks, withContent } from './walk.ts';
export {
  captionOf,
  expandableBody,
  EXPANDABLE_BODY,
  expandableTitle,
  EXPANDABLE_TITLE,
  imageCaption,
  isNamed,
} from './fragments.ts';
export {
  filledCells,
  MAX_FILLED_CELLS,
  readCard,
  readTable,
  recordsInOrder,
  starsOf,
  type Cell,
  type CellOf,
  type Column,
  type Row,
  type Table,
} from './table.ts';
export { HINT_STYLES, type HintStyle } from './hint-styles.ts';
export { mark, MARK_ELEMENTS, marked } from './mark-text.ts';
export { inlinesOf, isHeadingBlock, isListBlock, isTight, isEmpty } from './text-blocks.ts';
export { specsIn } from './extract/specs.ts';
export { summaryOf } from './extract/summary.ts';
export { emojiOf, emojiText, ownText, plainText, textOfInlines } from './extract/text.ts';
export {
  anchorsIn,
  expressionsIn,
  headingLevel,
  headingsIn,
  sectionsIn,
  type Heading,
  type Section,
} from './extract/sections.ts';
export { updatesIn, type Update } from './extract/updates.ts';
export { blocksByKey, describeBlocks, type AnchorBlock } from './extract/comment-anchors.ts';
export { canonicalBlocks, fingerprint, sameDocument } from './canonical/canonical.ts';
export { combine, hashRange, KeyMaker, type Hash } from './keys.ts';
export { IncludeBudget } from './include-budget.ts';
export { MAX_NODES, NODE, PIECE, readingBudget, sizeOfDocument } from './limits.ts';
export {
  defaultHref,
  defaultRef,
  explicitHref,
  fitRef,
  type Href,
  type HrefKind,
  type HrefOf,
  type RefFor,
  type Resolve,
} from './refs.ts';
export { checkDocument } from './check/check-document.ts';
export { fromPublishedForm } from './published-form/from-published-form.ts';
export { readSentDocument } from './published-form/sent-document.ts';
export { toPublishedForm } from './published-form/to-published-form.ts';
