import type { BlockRange } from '../../markdown/index.ts';
import { pieceOf } from './inserted.ts';
import { join, type Piece } from './piece.ts';
import { readBody, trimBlank, type Unit } from './unit.ts';

/**
 * A body without the blocks that have one of the keys, wherever they stand. It ends as it did, and so does every block
 * in it: the blank line behind a list is not that of its last item.
 */
export function withoutBlocks(body: string, keys: ReadonlySet<string>): string {
  const { lead, units } = readBody(body);
  const lineEnd = body.includes('\r\n') ? '\r\n' : '\n';
  const joined = (units: readonly Unit[], pieces: readonly Piece[]): string =>
    join(pieces, { lineEnd, end: units.at(-1)?.trail ?? '' }).text;
  const left = (units: readonly Unit[]): Piece[] =>
    units
      .filter(({ key }) => !keys.has(key))
      .flatMap((unit) => {
        const piece = pieceOf(unit, 'primary');
        const inner = left(unit.units);
        if (
          inner.length === unit.units.length &&
          inner.every(({ text }, at) => text === unit.units[at]?.text)
        )
          return [piece];
        if (inner.length === 0 && unit.kind.startsWith('list-')) return [];
        return [{ ...piece, text: unit.head + joined(unit.units, inner) + unit.tail }];
      });
  const pieces = left(units);
  return pieces.length === 0 ? '' : lead + joined(units, pieces);
}

/** The blocks that have one of the keys, and nothing else. `blocks` are those of the body. */
export const textOfBlocks = (
  body: string,
  blocks: readonly BlockRange[],
  keys: ReadonlySet<string>,
): string =>
  rangesOf(blocks, keys)
    .map(({ start, end }) => trimBlank(body.slice(start, end)))
    .join('\n\n');

const rangesOf = (ranges: readonly BlockRange[], keys: ReadonlySet<string>): BlockRange[] =>
  ranges.flatMap((range) => (keys.has(range.key) ? [range] : rangesOf(range.children, keys)));
