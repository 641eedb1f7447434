import { BODY_BUDGET, ComparisonBudget } from '../../diff/index.ts';
import { analyse, type Analysis, type BlockRange } from '../../markdown/index.ts';
import type { ConflictBlocks } from '../conflicts/conflict.ts';
import { isEqual, mapVersions, trivialMerge, type Versions } from '../versions.ts';
import { longer } from './merge-insertions.ts';
import { mergeAlone } from './merge-inside.ts';
import { mergeBlocks, type MergeEdits } from './merge-blocks.ts';
import {
  isList,
  join,
  shapeOf,
  shapeOfMerged,
  type Joined,
  type Mark,
  type TextConflict,
} from './merged-block.ts';
import { readBody, trimBlank, type Body, type SourceBlock } from './source-block.ts';

export interface MergedBody {
  readonly text: string;
  readonly conflicts: readonly BodyConflict[];
  /** The analysis of the text, which is slow to repeat for a large body. */
  readonly analysis: Analysis;
}

export interface BodyConflict extends TextConflict {
  readonly block: ConflictBlocks;
}

/** Merges a body block by block. A missing ancestor is an empty body. */
export function mergeBody(bodies: Versions<string>, budget = new ComparisonBudget(BODY_BUDGET)): MergedBody {
  const same = trivialMerge(bodies);
  if (same !== undefined) return { text: same.value, conflicts: [], analysis: analyse(same.value) };
  const read = mapVersions(bodies, (body) => readBody(body));
  const mergeEdits = (versions: Versions<SourceBlock>) => mergeAlone(versions, budget);
  return (
    mergeParsed(bodies, read, mergeEdits, budget) ??
    mergeParsed(bodies, read, () => undefined, budget) ??
    concatenate(bodies)
  );
}

/** Undefined: parsing the result would not yield the merged blocks. */
function mergeParsed(
  bodies: Versions<string>,
  read: Versions<Body>,
  mergeEdits: MergeEdits,
  budget: ComparisonBudget,
): MergedBody | undefined {
  const mergedBlocks = mergeBlocks(
    mapVersions(read, ({ blocks }) => blocks),
    mergeEdits,
    budget,
  );
  const shape = mergedBlocks.flatMap(shapeOfMerged);
  const leads = mapVersions(read, ({ lead }) => lead);
  const ends = mapVersions(read, ({ blocks }) => blocks.at(-1)?.trail ?? '');
  const lead = trivialMerge(leads)?.value ?? longer(leads.primary, leads.proposed);
  const end = trivialMerge(ends)?.value ?? longer(ends.primary, ends.proposed);
  const lineEnd = bodies.primary.includes('\r\n') ? '\r\n' : '\n';
  const joined = withLead(join(mergedBlocks, { lineEnd, end }), lead);
  const analysis = analyse(joined.text);
  if (!isEqual(shapeOf(readBody(joined.text, analysis.blocks).blocks), shape)) return undefined;
  return { text: joined.text, conflicts: conflictsOf(joined, analysis.blocks), analysis };
}

const withLead = ({ text, marks }: Joined, lead: string): Joined => ({
  text: lead + text,
  marks: marks.map((mark) => ({ ...mark, start: mark.start + lead.length, end: mark.end + lead.length })),
});

/** The fallback: one body after the other. An unclosed fence may turn both into one block. */
function concatenate({ ancestor, primary, proposed }: Versions<string>): MergedBody {
  const block: ConflictBlocks = { primary: [], proposed: [] };
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

/** Keys of the outermost blocks in a range. Of a list, its items: a neighbouring list may become part of it. */
function keysIn(text: string, ranges: readonly BlockRange[], range: Pick<Mark, 'start' | 'end'>): string[] {
  const keys: string[] = [];
  for (let at = firstAfter(ranges, range.start); at < ranges.length; at++) {
    const { key, kind, start, end, children } = ranges[at] as BlockRange;
    if (start >= range.end) break;
    const stop = start + trimBlank(text.slice(start, end)).length;
    if (start < range.start || stop > range.end || isList(kind)) keys.push(...keysIn(text, children, range));
    else if (stop > start) keys.push(key);
  }
  return keys;
}

/** The index of the first range that ends after an offset. */
function firstAfter(ranges: readonly BlockRange[], offset: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
