/** Limits of one converted page. Pages are those of other sites: generated ones have no bound, and some are hostile. */

/** Elements inside each other. Deeper ones are text, without blocks and marks. */
export const MAX_DEPTH = 256;
/** Blocks inside each other; a list is two levels of a document, which has 32 of them. */
export const MAX_NESTING = 12;
/** Ids of a page. Pages with more are generated, and nothing links to most of their ids. */
export const MAX_IDS = 5000;
/** Links that an import follows. */
export const MAX_LINKS = 5000;
/** Images that an import fetches. */
export const MAX_IMAGES = 2000;
/** Warnings that an import reports. */
export const MAX_WARNINGS = 100;
/** Characters of a style sheet in which rules of marks are searched. */
export const MAX_STYLE = 200_000;
/** Cells that spans are expanded to, in one table. */
export const MAX_EXPANDED_CELLS = 10_000;
export const MAX_NAVIGATION_ITEMS = 5000;
export const MAX_NAVIGATION_LEVEL = 32;
