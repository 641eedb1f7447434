import { parseBlocks, type BlockRange } from '../../markdown/index.ts';

/** A block of a body. A body is the concatenation of its lead and of the text and the trail of each of its units. */
export interface Unit {
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
  readonly units: readonly Unit[];
}

export interface Body {
  readonly lead: string;
  readonly units: readonly Unit[];
}

export function readBody(body: string, ranges = parseBlocks(body)): Body {
  const [first] = ranges;
  const isLead = first?.kind === 'blank';
  return {
    lead: isLead ? body.slice(first.start, first.end) : '',
    units: unitsOf(body, isLead ? ranges.slice(1) : ranges, body.length),
  };
}

function unitsOf(body: string, ranges: readonly BlockRange[], end: number): Unit[] {
  return ranges
    .filter(({ start }) => start < end)
    .map(({ key, kind, start, end: stop, children }, index) => {
      const whole = body.slice(start, Math.min(stop, end));
      const text = trimBlank(whole);
      const units = unitsOf(body, children, start + text.length);
      const before = units.length === 0 ? '' : body.slice(start, children[0]?.start);
      const inside = units.reduce((sum, unit) => sum + unit.text.length + unit.trail.length, 0);
      return {
        key,
        kind,
        index,
        text,
        trail: whole.slice(text.length),
        matchKey: kind === 'list-item' ? text.replace(/^(\s*)\d+/, '$1#') : text,
        head: before,
        tail: units.length === 0 ? '' : text.slice(before.length + inside),
        units,
      };
    });
}

export function trimBlank(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
