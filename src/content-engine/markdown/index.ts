/**
 * The Markdown engine: source text to document JSON and back. Pure functions of their arguments. The time is proportional
 * to the length of the input, and nothing here throws, but for `BudgetExceeded` where a document has too many nodes.
 */
import type { Href, JSONDocument } from '../document/index.ts';
import { analyse, type ReadOptions } from './analyse.ts';
import { parse } from './parse.ts';
import { replaceHrefs } from './replace-hrefs.ts';
import type { BlockRange } from './ranges.ts';

export { analyse, analyseBody, bodyAnalysisOf, type Analysis, type BodyAnalysis } from './analyse.ts';

export type { BlockRange } from './ranges.ts';
export { editMarkdown } from './edit/edit-markdown.ts';
export type { Frontmatter } from './frontmatter.ts';
export { updateFrontmatter, type FrontmatterChanges } from './update-frontmatter.ts';
export { assignAnchors, slugOf } from './read/headings.ts';
export type { Warning } from './scan/token.ts';
export { importsAt, isMdx, mdxIn } from './mdx.ts';
export { verbatimTagOf, type VerbatimTag } from './tag-of.ts';
export { splitSource, updateTitle, type Source } from './source.ts';
export { toMarkdown } from './write/writer.ts';

/** The document of a body (a source without frontmatter and title line). */
export const parseDocument = (body: string, options: ReadOptions = {}): JSONDocument =>
  parse(body, options.resolve, options.maxNodes).document;

/** The blocks of a body as ranges of it, in order and without gaps. */
export const parseBlocks = (body: string): readonly BlockRange[] => analyse(body).blocks;

/** Every address in a body, in order, with the offsets of the bytes that spell it. */
export const hrefsOf = (body: string): readonly Href[] => analyse(body).hrefs;

/** Spells other addresses at the given ranges of a body (as `hrefsOf` gave them), and changes nothing else. */
export const rewriteHrefs = (
  body: string,
  replacements: readonly Pick<Href, 'start' | 'end' | 'href'>[],
): string => replaceHrefs(body, replacements);
