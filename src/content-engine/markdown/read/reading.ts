import type { Budget } from '../../budget.ts';
import {
  defaultRef,
  fitRef,
  KeyMaker,
  NODE,
  type ExpandableBlock,
  type HeadingBlock,
  type Href,
  type HrefKind,
  type RefFor,
  type Resolve,
  type TabBlock,
} from '../../document/index.ts';
import { Finder } from '../scan/syntax/chars.ts';
import type { Scan } from '../scan/state.ts';
import type { Token, Warning } from '../scan/token.ts';
import type { InlineBuilder } from './inlines/inline-builder.ts';
import { placeIn, type Span } from './span.ts';

/**
 * Characters that link references may add to a document: as many as it has, but at least 100 kB, as in cmark. A reference
 * beyond that stays text. Without a limit, a page of 100 kB can be a document of 400 MB.
 */
const MIN_REFERENCE_TEXT = 100_000;
const maxReferenceText = (body: string): number => Math.max(body.length, MIN_REFERENCE_TEXT);

/** State and results of reading one body. */
export interface Reading {
  readonly src: string;
  readonly work: Budget;
  readonly finder: Finder;
  readonly warnings: Warning[];
  readonly hrefs: Href[];
  readonly headings: HeadingBlock[];
  /** Tabs and expandables, which have anchors too. */
  readonly parts: (TabBlock | ExpandableBlock)[];
  readonly keys: KeyMaker;
  readonly footnotes: ReadonlyMap<string, Token>;
  readonly definitions: ReadonlyMap<string, Token>;
  readonly resolve: Resolve | undefined;
  /** Footnotes read so far: addresses in a footnote are listed once, however often it is referred to. */
  readonly readNotes: Set<string>;
  /** Footnotes that were not referred to before their definition. */
  readonly pendingNotes: Token[];
  /** Characters of footnotes that may still be repeated. */
  budget: number;
  /** Characters that link references may still add. */
  referenceText: number;
  inNote: boolean;
  /** Nesting depth of the current block in the document. */
  depth: number;
  /** The difference in depth between the annotation and the definition of a footnote. */
  shift: number;
  /** The `id` of the last empty anchor element: headings take theirs from it. */
  anchor: string | undefined;
  muted: boolean;
  /**
   * Adds the annotation of a footnote to a text; set by the block reader, which reads its body. The annotated text is the
   * link that was just closed, unless `text` is given.
   */
  annotate: (builder: InlineBuilder, label: string, text?: string) => void;
}

export function newReading(scan: Scan, resolve: Resolve | undefined): Reading {
  return {
    src: scan.src,
    work: scan.work,
    finder: new Finder(scan.src),
    warnings: scan.warnings,
    hrefs: [],
    headings: [],
    parts: [],
    keys: new KeyMaker(),
    footnotes: scan.footnotes,
    definitions: scan.definitions,
    resolve,
    readNotes: new Set(),
    pendingNotes: [],
    budget: scan.src.length + 10_000,
    referenceText: maxReferenceText(scan.src),
    inNote: false,
    depth: 0,
    shift: 0,
    anchor: undefined,
    muted: false,
    annotate: (builder, label) => builder.text(`[^${label}]`),
  };
}

export const isUrl = (href: string): boolean => /^https?:/i.test(href);

/** A mention shows the title of its target. One of a URL has no other than its text: with a text of its own, it is a link. */
export const hasOwnText = (href: string, text: string): boolean =>
  isUrl(href) && text.trim() !== '' && text.trim() !== href;

/** Records an address, and returns its reference. `from` and `to` are offsets in the span. */
export function refAt<Kind extends HrefKind>(
  reading: Reading,
  span: Span,
  from: number,
  to: number,
  href: string,
  kind: Kind,
): RefFor<Kind> {
  reading.work.spend(NODE);
  const found: Href = { start: placeIn(span, from), end: placeIn(span, to), href, kind };
  if (!reading.muted) reading.hrefs.push(found);
  return fitRef(reading.resolve?.(found) ?? defaultRef(href, kind), kind, href);
}
