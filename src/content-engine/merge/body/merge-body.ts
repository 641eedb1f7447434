import { BODY_BUDGET, ComparisonBudget } from '../../diff/index.ts';
import { analyse, type Analysis, type BlockRange } from '../../markdown/index.ts';
import { agreed, isEqual, mapThree, type Three } from '../versions.ts';
import type { Standing } from '../conflict.ts';
import { mergeAlone } from './merge-inside.ts';
import { longer } from './merge-insertions.ts';
import { mergeUnits, type Merge } from './merge-units.ts';
import { isList, join, shapeOf, shapeOfPiece, type Joined, type Mark, type TextConflict } from './piece.ts';
import { readBody, trimBlank, type Body, type Unit } from './unit.ts';

export interface MergedBody {
  readonly text: string;
  readonly conflicts: readonly BodyConflict[];
}

/** With what was read from the text to check it: to read a large one again takes long. */
interface AnalysedBody extends MergedBody {
  readonly analysis: Analysis;
}

export interface BodyConflict extends TextConflict {
  readonly block: Standing;
}

/** A body block by block. An ancestor that was not there is an empty one. */
export function mergeBodies(bodies: Three<string>, budget = new ComparisonBudget(BODY_BUDGET)): MergedBody {
  const { text, conflicts } = mergeAnalysed(bodies, budget);
  return { text, conflicts };
}

export function mergeAnalysed(bodies: Three<string>, budget: ComparisonBudget): AnalysedBody {
  const same = agreed(bodies);
  if (same !== undefined) return { text: same.value, conflicts: [], analysis: analyse(same.value) };
  const read = mapThree(bodies, (body) => readBody(body));
  const merge = (three: Three<Unit>) => mergeAlone(three, budget);
  return (
    blockByBlock(bodies, read, merge, budget) ??
    blockByBlock(bodies, read, () => undefined, budget) ??
    whole(bodies)
  );
}

/** Undefined when the result would not be read as the blocks that were meant. */
function blockByBlock(
  bodies: Three<string>,
  read: Three<Body>,
  merge: Merge,
  budget: ComparisonBudget,
): AnalysedBody | undefined {
  const pieces = mergeUnits(
    mapThree(read, ({ units }) => units),
    merge,
    budget,
  );
  const shape = pieces.flatMap(shapeOfPiece);
  const leads = mapThree(read, ({ lead }) => lead);
  const ends = mapThree(read, ({ units }) => units.at(-1)?.trail ?? '');
  const lead = agreed(leads)?.value ?? longer(leads.primary, leads.proposed);
  const end = agreed(ends)?.value ?? longer(ends.primary, ends.proposed);
  const lineEnd = bodies.primary.includes('\r\n') ? '\r\n' : '\n';
  const joined = shifted(join(pieces, { lineEnd, end }), lead);
  const analysis = analyse(joined.text);
  if (!isEqual(shapeOf(readBody(joined.text, analysis.blocks).units), shape)) return undefined;
  return { text: joined.text, conflicts: conflictsOf(joined, analysis.blocks), analysis };
}

const shifted = ({ text, marks }: Joined, lead: string): Joined => ({
  text: lead + text,
  marks: marks.map((mark) => ({ ...mark, start: mark.start + lead.length, end: mark.end + lead.length })),
});

/** What cannot be taken apart: the one body behind the other. A fence that nobody closes may make one block of them. */
function whole({ ancestor, primary, proposed }: Three<string>): AnalysedBody {
  const block: Standing = { primary: [], proposed: [] };
  const text = `${trimBlank(primary)}\n\n${proposed}`;
  return { text, conflicts: [{ ancestor, primary, proposed, block }], analysis: analyse(text) };
}

function conflictsOf({ text, marks }: Joined, ranges: readonly BlockRange[]): BodyConflict[] {
  const found = new Map<TextConflict, Record<Mark['side'], string[]>>();
  for (const mark of marks) {
    const block = found.get(mark.conflict) ?? { primary: [], proposed: [] };
    block[mark.side].push(...keysIn(text, ranges, mark));
    found.set(mark.conflict, block);
  }
  return Array.from(found, ([conflict, block]) => ({ ...conflict, block }));
}

/** The outermost blocks between two places; of a list its items, for what comes beside it may become part of it. */
function keysIn(text: string, ranges: readonly BlockRange[], place: Pick<Mark, 'start' | 'end'>): string[] {
  const keys: string[] = [];
  for (let at = firstAfter(ranges, place.start); at < ranges.length; at++) {
    const { key, kind, start, end, children } = ranges[at] as BlockRange;
    if (start >= place.end) break;
    const stop = start + trimBlank(text.slice(start, end)).length;
    if (start < place.start || stop > place.end || isList(kind)) keys.push(...keysIn(text, children, place));
    else if (stop > start) keys.push(key);
  }
  return keys;
}

/** The index of the first that ends after a place. */
function firstAfter(ranges: readonly BlockRange[], place: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
