import type { ComparisonBudget } from '../../diff/index.ts';
import { agreed, isEqual, mapThree, type Three } from '../versions.ts';
import { longer } from './merge-insertions.ts';
import { mergeUnits, type Inside } from './merge-units.ts';
import { containerShape, holdsBlocks, isList, join, leafShape, shapeOf, shapeOfPiece } from './piece.ts';
import { mergeLines, mergeWords } from './merge-text.ts';
import { readBody, type Unit } from './unit.ts';

/** One block that both sides changed. Undefined: it cannot be merged, so both versions must stand. */
export function mergeInside(three: Three<Unit>, budget: ComparisonBudget): Inside | undefined {
  const kind = agreed(mapThree(three, (unit) => unit.kind))?.value;
  if (kind === undefined) return undefined;
  const all = [three.ancestor, three.primary, three.proposed];
  if (all.some(holdsBlocks)) {
    const isSuch = (unit: Unit) => unit.kind === kind || (isList(kind) && isList(unit.kind));
    return all.every((unit) => holdsBlocks(unit) && isSuch(unit))
      ? mergeContainer(three, kind, budget)
      : undefined;
  }
  const texts = mapThree(three, (unit) => unit.text);
  const text = all.every(isProse) ? mergeWords(texts, budget) : mergeLines(texts, budget);
  return text === undefined ? undefined : { text, shape: leafShape(kind, text) };
}

/** The same for a block that stands in no other: what was made is read again, to see that it is one block still. */
export function mergeAlone(three: Three<Unit>, budget: ComparisonBudget): Inside | undefined {
  const merged = mergeInside(three, budget);
  if (merged === undefined) return undefined;
  const { lead, units } = readBody(merged.text);
  return lead === '' && units.length === 1 && isEqual(shapeOf(units), merged.shape) ? merged : undefined;
}

/** All else is merged by line, never by word. */
const isProse = ({ kind }: Unit): boolean =>
  kind === 'paragraph' || kind.startsWith('heading-') || kind === 'summary';

function mergeContainer(three: Three<Unit>, kind: string, budget: ComparisonBudget): Inside | undefined {
  const heads = agreed(mapThree(three, (unit) => unit.head));
  const head = heads ?? (kind === 'list-item' ? mergeNumbers(three) : undefined);
  const tail = agreed(mapThree(three, (unit) => unit.tail));
  if (head === undefined || tail === undefined) return undefined;
  const pieces = mergeUnits(
    mapThree(three, (unit) => unit.units),
    (inner) => mergeInside(inner, budget),
    budget,
  );
  if (pieces.length === 0) return undefined;
  // Lines of an item are indented as its marker wants it: what was written for another item does not fit.
  if (kind === 'list-item' && pieces.some(({ conflict }) => conflict !== undefined)) return undefined;
  const ends = mapThree(three, ({ units }) => units.at(-1)?.trail ?? '');
  const joined = join(pieces, {
    lineEnd: three.primary.text.includes('\r\n') ? '\r\n' : '\n',
    end: agreed(ends)?.value ?? longer(ends.primary, ends.proposed),
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

/** A number at the head of an item says where it stands, which is seen anyway. */
function mergeNumbers(three: Three<Unit>): { readonly value: string } | undefined {
  const heads = mapThree(three, ({ head }) => head.replace(/^(\s*)\d+/, '$1#'));
  const head = agreed(heads)?.value;
  const { primary, proposed } = three;
  if (head === undefined) return undefined;
  if (heads.primary === heads.proposed) return { value: longer(primary.head, proposed.head) };
  return { value: (head === heads.primary ? primary : proposed).head };
}
