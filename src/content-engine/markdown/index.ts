/**
 * The Markdown engine: source text to document JSON and back. Pure functions of their arguments. The time is proportional
 * to the length of the input, and nothing here throws, but for `BudgetExceeded` where a document has too many nodes.
 */
import { parse, type Parsed } from './parse.ts';
import {
  anchorsIn,
  expressionsIn,
  headingsIn,
  plainText,
  sectionsIn,
  type Heading,
  type Href,
  type JSONDocument,
  type Resolve,
  type Section,
} from '../document/index.ts';
import { replaceHrefs } from './replace-hrefs.ts';
import { rangesOf, type BlockRange } from './ranges.ts';
import type { Warning } from './scan/token.ts';

export type { BlockRange } from './ranges.ts';
export { editMarkdown, type EditOptions } from './edit/edit-markdown.ts';
export type { Frontmatter } from './frontmatter.ts';
export { updateFrontmatter, type FrontmatterChanges } from './update-frontmatter.ts';
export { slugOf } from './read/headings.ts';
export type { Warning } from './scan/token.ts';
export { joinSource, splitSource, updateTitle, type Source } from './source.ts';
export { toMarkdown, type WriteOptions } from './write/writer.ts';

export interface ReadOptions {
  /** What an address refers to. Without it, addresses stay URLs. */
  readonly resolve?: Resolve;
}

/** The document of a body (a source without frontmatter and title line). */
export const parseDocument = (body: string, options: ReadOptions = {}): JSONDocument =>
  parse(body, options.resolve).document;

/** All that follows from the text of a body, read once; each part is made when it is first asked for. */
export interface Analysis {
  readonly document: JSONDocument;
  readonly blocks: readonly BlockRange[];
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  /** Anchors of headings, tabs and expandables. */
  readonly anchors: readonly string[];
  readonly hrefs: readonly Href[];
  readonly expressions: readonly string[];
  readonly plainText: string;
  readonly warnings: readonly Warning[];
}

export function analyse(body: string, options: ReadOptions = {}): Analysis {
  const parsed = lazy((): Parsed => parse(body, options.resolve));
  const blocks = lazy(() => rangesOf(parsed()));
  const headings = lazy(() => headingsIn(parsed().document));
  const sections = lazy(() => sectionsIn(parsed().document));
  const anchors = lazy(() => anchorsIn(parsed().document));
  const expressions = lazy(() => expressionsIn(parsed().document));
  const text = lazy(() => plainText(parsed().document));
  return {
    get document() {
      return parsed().document;
    },
    get blocks() {
      return blocks();
    },
    get headings() {
      return headings();
    },
    get sections() {
      return sections();
    },
    get anchors() {
      return anchors();
    },
    get hrefs() {
      return parsed().hrefs;
    },
    get expressions() {
      return expressions();
    },
    get plainText() {
      return text();
    },
    get warnings() {
      return parsed().warnings;
    },
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The blocks of a body as ranges of it, in order and without gaps. */
export const parseBlocks = (body: string): readonly BlockRange[] => analyse(body).blocks;

export const headingsOf = (body: string): readonly Heading[] => analyse(body).headings;
export const sectionsOf = (body: string): readonly Section[] => analyse(body).sections;
export const expressionsOf = (body: string): readonly string[] => analyse(body).expressions;

/** Every address in a body, in order, with the offsets of the bytes that spell it. */
export const hrefsOf = (body: string): readonly Href[] => analyse(body).hrefs;

/** Spells other addresses at the given ranges of a body (as `hrefsOf` gave them), and changes nothing else. */
export const rewriteHrefs = (
  body: string,
  replacements: readonly Pick<Href, 'start' | 'end' | 'href'>[],
): string => replaceHrefs(body, replacements);
