/**
 * Documents as typed nodes: their text, sections, canonical form, keys, references, checks and published form. Knows
 * nothing of Markdown.
 */
export type * from './nodes.ts';
export { COLORS, PLAIN_MARKS } from './nodes.ts';
export type * from './table-types.ts';
export { documentOfBlocks, paragraphOf, plainDocument, plainTextNode, SCHEMA_VERSION } from './create.ts';
export { childBlocks, childrenOf, eachBlock, fragmentBlocks, withContent } from './walk.ts';
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
  MAX_FILLED_CELLS,
  readTable,
  recordsInOrder,
  type Cell,
  type CellImage,
  type Column,
  type Row,
  type Table,
} from './table.ts';
export { isEmpty } from './is-empty.ts';
export { summaryOf } from './summary.ts';
export { emojiOf, emojiText, ownText, plainText, textOfInlines } from './text.ts';
export {
  anchorsIn,
  expressionsIn,
  headingLevel,
  headingsIn,
  sectionsIn,
  type Heading,
  type Section,
} from './sections.ts';
export { updatesIn, type Update } from './updates.ts';
export { blocksByKey, describeBlocks, type AnchorBlock } from './comment-anchors.ts';
export { canonicalBlocks, fingerprint, sameDocument } from './canonical.ts';
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
export type { Problem } from './check/shape.ts';
export { fromPublishedForm } from './published-form/from-published-form.ts';
export { readSentDocument, type SentDocument } from './sent-document.ts';
export { toPublishedForm } from './published-form/to-published-form.ts';
