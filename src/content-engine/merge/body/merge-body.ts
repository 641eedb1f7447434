import { parseBlocks, type BlockRange } from '../../markdown/index.ts';
import { agreed, isEqual, mapThree, type Three } from '../three.ts';
import type { Standing } from '../conflict.ts';
import { mergeAlone } from './merge-inside.ts';
import { longer } from './inserted.ts';
import { mergeUnits } from './merge-units.ts';
import { join, shapeOf, shapeOfPiece, type Joined, type Mark, type TextConflict } from './piece.ts';
import { readBody, trimBlank } from './unit.ts';

export interface MergedBody {
  readonly text: string;
  readonly conflicts: readonly BodyConflict[];
}

export interface BodyConflict extends TextConflict {
  readonly block: Standing;
}

/** A body block by block. An ancestor that was not there is an empty one. */
export function mergeBodies(bodies: Three<string>): MergedBody {
  const same = agreed(bodies);
  if (same !== undefined) return { text: same.value, conflicts: [] };
  const joined = blockByBlock(bodies, mergeAlone) ?? blockByBlock(bodies, () => undefined);
  return joined === undefined ? whole(bodies) : { text: joined.text, conflicts: conflictsOf(joined) };
}

/** Undefined when the result would not be read as the blocks that were meant. */
function blockByBlock(bodies: Three<string>, merge: typeof mergeAlone): Joined | undefined {
  const read = mapThree(bodies, readBody);
  const pieces = mergeUnits(
    mapThree(read, ({ units }) => units),
    merge,
  );
  const shape = pieces.flatMap(shapeOfPiece);
  const leads = mapThree(read, ({ lead }) => lead);
  const ends = mapThree(read, ({ units }) => units.at(-1)?.trail ?? '');
  const lead = agreed(leads)?.value ?? longer(leads.primary, leads.proposed);
  const end = agreed(ends)?.value ?? longer(ends.primary, ends.proposed);
  const lineEnd = bodies.primary.includes('\r\n') ? '\r\n' : '\n';
  const joined = shifted(join(pieces, { lineEnds: 2, lineEnd, end }), lead);
  return isEqual(shapeOf(readBody(joined.text).units), shape) ? joined : undefined;
}

const shifted = ({ text, marks }: Joined, lead: string): Joined => ({
  text: lead + text,
  marks: marks.map((mark) => ({ ...mark, start: mark.start + lead.length, end: mark.end + lead.length })),
});

/** What cannot be taken apart: the one body behind the other. A fence that nobody closes may make one block of them. */
function whole({ ancestor, primary, proposed }: Three<string>): MergedBody {
  const block: Standing = { primary: [], proposed: [] };
  return {
    text: `${trimBlank(primary)}\n\n${proposed}`,
    conflicts: [{ ancestor, primary, proposed, block }],
  };
}

function conflictsOf({ text, marks }: Joined): BodyConflict[] {
  if (marks.length === 0) return [];
  const ranges = parseBlocks(text);
  const keysOf = (conflict: TextConflict, side: Mark['side']) =>
    marks
      .filter((mark) => mark.conflict === conflict && mark.side === side)
      .flatMap((mark) => keysIn(text, ranges, mark));
  return Array.from(new Set(marks.map(({ conflict }) => conflict)), (conflict) => ({
    ...conflict,
    block: { primary: keysOf(conflict, 'primary'), proposed: keysOf(conflict, 'proposed') },
  }));
}

/** The outermost blocks between two places. */
function keysIn(text: string, ranges: readonly BlockRange[], place: Pick<Mark, 'start' | 'end'>): string[] {
  return ranges.flatMap(({ key, start, end, children }) => {
    if (end <= place.start || start >= place.end) return [];
    const stop = start + trimBlank(text.slice(start, end)).length;
    if (start >= place.start && stop <= place.end) return stop > start ? [key] : [];
    return keysIn(text, children, place);
  });
}
