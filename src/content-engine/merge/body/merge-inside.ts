import type { ComparisonBudget } from '../../diff/index.ts';
import { isEqual, mapVersions, trivialMerge, type Versions } from '../versions.ts';
import { longer } from './merge-insertions.ts';
import { mergeUnits, type MergedUnit } from './merge-units.ts';
import {
  containerShape,
  holdsBlocks,
  isList,
  join,
  leafShape,
  shapeOf,
  shapeOfPiece,
} from './merged-block.ts';
import { mergeLines, mergeWords } from './merge-text.ts';
import { readBody, type Unit } from './source-block.ts';

/** Merges one block that both sides edited. Undefined: a conflict. */
export function mergeInside(versions: Versions<Unit>, budget: ComparisonBudget): MergedUnit | undefined {
  const kind = trivialMerge(mapVersions(versions, (unit) => unit.kind))?.value;
  if (kind === undefined) return undefined;
  const all = [versions.ancestor, versions.primary, versions.proposed];
  if (all.some(holdsBlocks)) {
    const isSameKind = (unit: Unit) => unit.kind === kind || (isList(kind) && isList(unit.kind));
    return all.every((unit) => holdsBlocks(unit) && isSameKind(unit))
      ? mergeContainer(versions, kind, budget)
      : undefined;
  }
  const texts = mapVersions(versions, (unit) => unit.text);
  const text = all.every(isProse) ? mergeWords(texts, budget) : mergeLines(texts, budget);
  return text === undefined ? undefined : { text, shape: leafShape(kind, text) };
}

/** As `mergeInside`, for a block at the top level: parses the result to check that it is still one block. */
export function mergeAlone(versions: Versions<Unit>, budget: ComparisonBudget): MergedUnit | undefined {
  const merged = mergeInside(versions, budget);
  if (merged === undefined) return undefined;
  const { lead, units } = readBody(merged.text);
  return lead === '' && units.length === 1 && isEqual(shapeOf(units), merged.shape) ? merged : undefined;
}

/** Merged by word. All other blocks are merged by line. */
const isProse = ({ kind }: Unit): boolean =>
  kind === 'paragraph' || kind.startsWith('heading-') || kind === 'summary';

function mergeContainer(
  versions: Versions<Unit>,
  kind: string,
  budget: ComparisonBudget,
): MergedUnit | undefined {
  const heads = trivialMerge(mapVersions(versions, (unit) => unit.head));
  const head = heads ?? (kind === 'list-item' ? mergeNumbers(versions) : undefined);
  const tail = trivialMerge(mapVersions(versions, (unit) => unit.tail));
  if (head === undefined || tail === undefined) return undefined;
  const pieces = mergeUnits(
    mapVersions(versions, (unit) => unit.units),
    (inner) => mergeInside(inner, budget),
    budget,
  );
  if (pieces.length === 0) return undefined;
  // The marker of an item decides the indentation of its lines: lines of another item do not fit.
  if (kind === 'list-item' && pieces.some(({ conflict }) => conflict !== undefined)) return undefined;
  const ends = mapVersions(versions, ({ units }) => units.at(-1)?.trail ?? '');
  const joined = join(pieces, {
    lineEnd: versions.primary.text.includes('\r\n') ? '\r\n' : '\n',
    end: trivialMerge(ends)?.value ?? longer(ends.primary, ends.proposed),
  });
  return {
    text: head.value + joined.text + tail.value,
    shape: containerShape(kind, pieces.flatMap(shapeOfPiece)),
    marks: joined.marks.map((mark) => ({
      ...mark,
      start: mark.start + head.value.length,
      end: mark.end + head.value.length,
    })),
  };
}

/** The number of a list item only repeats its position, so a difference in it is no conflict. */
function mergeNumbers(versions: Versions<Unit>): { readonly value: string } | undefined {
  const heads = mapVersions(versions, ({ head }) => head.replace(/^(\s*)\d+/, '$1#'));
  const head = trivialMerge(heads)?.value;
  const { primary, proposed } = versions;
  if (head === undefined) return undefined;
  if (heads.primary === heads.proposed) return { value: longer(primary.head, proposed.head) };
  return { value: (head === heads.primary ? primary : proposed).head };
}
