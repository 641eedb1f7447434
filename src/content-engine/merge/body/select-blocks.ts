import type { BlockRange } from '../../markdown/index.ts';
import { pieceOf } from './merge-insertions.ts';
import { join, type Piece } from './merged-block.ts';
import { readBody, trimBlank, type Unit } from './source-block.ts';

/**
 * A body without the blocks with these keys, at any level. The body and every remaining block keep their trailing
 * blank lines: the blank line after a list does not belong to its last item.
 */
export function withoutBlocks(body: string, keys: ReadonlySet<string>): string {
  const { lead, units } = readBody(body);
  const lineEnd = body.includes('\r\n') ? '\r\n' : '\n';
  const joined = (units: readonly Unit[], pieces: readonly Piece[]): string =>
    join(pieces, { lineEnd, end: units.at(-1)?.trail ?? '' }).text;
  const remainingIn = (units: readonly Unit[]): Piece[] =>
    units
      .filter(({ key }) => !keys.has(key))
      .flatMap((unit) => {
        const piece = pieceOf(unit, 'primary');
        const inner = remainingIn(unit.units);
        if (
          inner.length === unit.units.length &&
          inner.every(({ text }, at) => text === unit.units[at]?.text)
        )
          return [piece];
        if (inner.length === 0 && unit.kind.startsWith('list-')) return [];
        // A table without rows ends with its head.
        return [{ ...piece, text: trimBlank(unit.head + joined(unit.units, inner) + unit.tail) }];
      });
  const pieces = remainingIn(units);
  return pieces.length === 0 ? '' : lead + joined(units, pieces);
}

/** All blocks by key, nested ones included. */
export function blocksByKey(
  ranges: readonly BlockRange[],
  index = new Map<string, BlockRange>(),
): Map<string, BlockRange> {
  for (const range of ranges) {
    index.set(range.key, range);
    blocksByKey(range.children, index);
  }
  return index;
}

/** The text of the blocks with these keys, in document order. A block inside another of them is not repeated. */
export function textOfBlocks(
  body: string,
  blocks: ReadonlyMap<string, BlockRange>,
  keys: Iterable<string>,
): string {
  const ranges = Array.from(keys, (key) => blocks.get(key)).filter((range) => range !== undefined);
  const texts: string[] = [];
  let textEnd = -1;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < textEnd) continue;
    texts.push(trimBlank(body.slice(start, end)));
    textEnd = end;
  }
  return texts.join('\n\n');
}
