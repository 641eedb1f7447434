import type { BlockNode, InlineContent, JSONDocument } from '../nodes.ts';
import { ownText } from './text.ts';
import { eachBlock } from '../walk.ts';

/** A heading: its anchor, its text, and its level (1 to 3). */
export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly level: number;
  readonly key: string;
}

/** A unit of search: the text before the first heading, then one section per heading. */
export interface Section {
  /** Anchor of the heading; undefined before the first one. */
  readonly id: string | undefined;
  readonly title: string;
  /** 0 before the first heading. */
  readonly level: number;
  readonly text: string;
}

/** 1 to 3; 0 where the block is no heading. */
export function headingLevel({ type }: BlockNode): 0 | 1 | 2 | 3 {
  switch (type) {
    case 'heading-1':
      return 1;
    case 'heading-2':
      return 2;
    case 'heading-3':
      return 3;
    default:
      return 0;
  }
}

export function headingsIn(document: JSONDocument): Heading[] {
  const headings: Heading[] = [];
  eachBlock(document.nodes, (block) => {
    const level = headingLevel(block);
    if (level === 0 || block.meta?.id === undefined) return;
    headings.push({ id: block.meta.id, title: (ownText(block) ?? '').trim(), level, key: block.key ?? '' });
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
    const own = headingLevel(block);
    const text = ownText(block);
    // A heading without an anchor is inside a table, and counts as text.
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
  const visitInlines = (nodes: readonly InlineContent[] = []): void => {
    for (const node of nodes)
      if (node.object === 'inline' && node.type === 'expression') found.push(node.data.expression);
  };
  eachBlock(document.nodes, (block) => {
    switch (block.type) {
      case 'if':
        found.push(block.data.expression);
        break;
      case 'code':
        for (const line of block.nodes ?? []) visitInlines(line.nodes);
        break;
      case 'paragraph':
      case 'heading-1':
      case 'heading-2':
      case 'heading-3':
        visitInlines(block.nodes);
        break;
      default:
    }
  });
  return found;
}
