import { eachBlock, type BlockNode } from '../../document/index.ts';
import type { BookPage } from './book.ts';

/** Labels of link targets: `p3` is a page, `a12` a heading, tab or expandable. */
export interface Labels {
  ofPage(page: string): string | undefined;
  ofAnchor(page: string, anchor: string): string | undefined;
  /** The label of a page or block that is being typeset, if it has one. */
  place(part: BookPage | BlockNode): string | undefined;
  /** A new label for a heading without links, which the outline needs. */
  next(): string;
  /** Labels that were not placed: a link to one of them would be an error. */
  unplaced(): string[];
}

export function labelsOf(pages: readonly BookPage[]): Labels {
  const ofPages = new Map<string, string>();
  const ofAnchors = new Map<string, string>();
  const ofParts = new Map<BookPage | BlockNode, string>();
  pages.forEach((page, index) => {
    const { id, document } = page;
    if (!ofPages.has(id)) {
      ofPages.set(id, `p${index}`);
      ofParts.set(page, `p${index}`);
    }
    eachBlock(document?.nodes ?? [], (block) => {
      if (block.meta?.id === undefined) return;
      const name = anchorName(id, block.meta.id);
      if (ofAnchors.has(name)) return;
      const label = `a${ofAnchors.size}`;
      ofAnchors.set(name, label);
      ofParts.set(block, label);
    });
  });
  const unplaced = new Set(ofParts.values());
  let further = 0;
  return {
    ofPage: (page) => ofPages.get(page),
    ofAnchor: (page, anchor) => ofAnchors.get(anchorName(page, anchor)),
    place(part) {
      const label = ofParts.get(part);
      // A document that occurs twice is placed once.
      return label !== undefined && unplaced.delete(label) ? label : undefined;
    },
    next: () => `h${further++}`,
    unplaced: () => [...unplaced],
  };
}

const anchorName = (page: string, anchor: string): string => JSON.stringify([page, anchor]);
