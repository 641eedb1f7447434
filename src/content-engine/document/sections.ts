import { inlinesOf, type BlockNode, type JSONDocument } from './nodes.ts';
import { eachBlock, ownText, textOfInlines } from './text.ts';

/** One heading: its anchor, its words, and its level (1 to 3). */
export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly level: number;
  readonly key: string;
}

/** A piece of a page to be found by search: what stands before the first heading, then one per heading. */
export interface Section {
  /** Anchor of the heading; undefined for the beginning of the page. */
  readonly id: string | undefined;
  readonly title: string;
  /** 0 for the beginning of the page. */
  readonly level: number;
  readonly text: string;
}

const levelOf = (block: BlockNode): number =>
  block.type.startsWith('heading-') ? Number(block.type.slice(8)) : 0;

export function headingsIn(document: JSONDocument): Heading[] {
  const headings: Heading[] = [];
  eachBlock(document.nodes, (block) => {
    const level = levelOf(block);
    if (level === 0 || block.meta?.id === undefined) return;
    headings.push({
      id: block.meta.id,
      title: textOfInlines(inlinesOf(block)).trim(),
      level,
      key: block.key ?? '',
    });
  });
  return headings;
}

export function sectionsIn(document: JSONDocument): Section[] {
  const sections: Section[] = [];
  let id: string | undefined;
  let title = '';
  let level = 0;
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('\n');
    if (level > 0 || text !== '') sections.push({ id, title, level, text });
    lines = [];
  };
  eachBlock(document.nodes, (block) => {
    const own = levelOf(block);
    const text = ownText(block);
    // A heading without an anchor stands in a table: it is text.
    if (own > 0 && block.meta?.id !== undefined) {
      flush();
      id = block.meta.id;
      title = (text ?? '').trim();
      level = own;
    } else if (text !== undefined && text !== '') lines.push(text);
  });
  flush();
  return sections;
}

/** Every anchor that a link can point to: of headings, tabs and expandables. */
export function anchorsIn(document: JSONDocument): string[] {
  const anchors: string[] = [];
  eachBlock(document.nodes, ({ meta }) => {
    if (meta?.id !== undefined) anchors.push(meta.id);
  });
  return anchors;
}

/** Every expression of the document: inline ones, and the conditions of blocks. */
export function expressionsIn(document: JSONDocument): string[] {
  const found: string[] = [];
  const visitInlines = (block: BlockNode): void => {
    for (const node of inlinesOf(block)) {
      if (node.object === 'inline' && node.type === 'expression')
        found.push(String(node.data?.['expression'] ?? ''));
    }
  };
  eachBlock(document.nodes, (block) => {
    if (block.type === 'if') found.push(String(block.data?.['expression'] ?? ''));
    else if (block.type === 'code') (block.nodes ?? []).forEach((line) => visitInlines(line as BlockNode));
    else visitInlines(block);
  });
  return found;
}
