import type { ContentRef } from '../markdown/index.ts';

export type { ContentRef };

/**
 * Where the links of a document lead: occurrence → target. How an occurrence is named is up to the code that finds
 * links; only those with a target inside are in the table.
 */
export type LinkTable = Readonly<Record<string, ContentRef>>;
