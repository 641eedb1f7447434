import { parseBlocks, type BlockRange } from '../../markdown/index.ts';

/** A block of a body. A body is the concatenation of its lead and of the text and the trail of each of its blocks. */
export interface SourceBlock {
  readonly key: string;
  readonly kind: string;
  /** Index among its siblings. */
  readonly index: number;
  /** Without the blank lines after it. */
  readonly text: string;
  /** The blank lines after it. */
  readonly trail: string;
  /** Equal for blocks that count as the same: the text, without the number of a list item. */
  readonly matchKey: string;
  /** The text before and after its child blocks. */
  readonly head: string;
  readonly tail: string;
  readonly blocks: readonly SourceBlock[];
}

export interface Body {
  readonly lead: string;
  readonly blocks: readonly SourceBlock[];
}

export function readBody(body: string, ranges = parseBlocks(body)): Body {
  const [first] = ranges;
  const isLead = first?.kind === 'blank';
  return {
    lead: isLead ? body.slice(first.start, first.end) : '',
    blocks: blocksOf(body, isLead ? ranges.slice(1) : ranges, body.length),
  };
}

function blocksOf(body: string, ranges: readonly BlockRange[], end: number): SourceBlock[] {
  return ranges
    .filter(({ start }) => start < end)
    .map(({ key, kind, start, end: stop, children }, index) => {
      const whole = body.slice(start, Math.min(stop, end));
      const text = trimBlank(whole);
      const blocks = blocksOf(body, children, start + text.length);
      const before = blocks.length === 0 ? '' : body.slice(start, children[0]?.start);
      const inside = blocks.reduce((sum, block) => sum + block.text.length + block.trail.length, 0);
      return {
        key,
        kind,
        index,
        text,
        trail: whole.slice(text.length),
        matchKey: kind === 'list-item' ? text.replace(/^(\s*)\d+/, '$1#') : text,
        head: before,
        tail: blocks.length === 0 ? '' : text.slice(before.length + inside),
        blocks,
      };
    });
}

export function trimBlank(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
