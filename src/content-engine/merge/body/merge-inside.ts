import type { ComparisonBudget } from '../../diff/index.ts';
import { isEqual, mapVersions, trivialMerge, type Versions } from '../versions.ts';
import { longer } from './merge-insertions.ts';
import { mergeBlocks, type MergedContent } from './merge-blocks.ts';
import {
  containerShape,
  holdsBlocks,
  isList,
  join,
  leafShape,
  shapeOf,
  shapeOfMerged,
} from './merged-block.ts';
import { mergeLines, mergeWords } from './merge-text.ts';
import { readBody, type SourceBlock } from './source-block.ts';

/** Merges one block that both sides edited. Undefined: a conflict. */
export function mergeInside(
  versions: Versions<SourceBlock>,
  budget: ComparisonBudget,
): MergedContent | undefined {
  const kind = trivialMerge(mapVersions(versions, (block) => block.kind))?.value;
  if (kind === undefined) return undefined;
  const all = [versions.ancestor, versions.primary, versions.proposed];
  if (all.some(holdsBlocks)) {
    const isSameKind = (block: SourceBlock) => block.kind === kind || (isList(kind) && isList(block.kind));
    return all.every((block) => holdsBlocks(block) && isSameKind(block))
      ? mergeContainer(versions, kind, budget)
      : undefined;
  }
  const texts = mapVersions(versions, (block) => block.text);
  const text = all.every(isProse) ? mergeWords(texts, budget) : mergeLines(texts, budget);
  return text === undefined ? undefined : { text, shape: leafShape(kind, text) };
}

/** As `mergeInside`, for a block at the top level: parses the result to check that it is still one block. */
export function mergeAlone(
  versions: Versions<SourceBlock>,
  budget: ComparisonBudget,
): MergedContent | undefined {
  const merged = mergeInside(versions, budget);
  if (merged === undefined) return undefined;
  const { lead, blocks } = readBody(merged.text);
  return lead === '' && blocks.length === 1 && isEqual(shapeOf(blocks), merged.shape) ? merged : undefined;
}

/** Merged by word. All other blocks are merged by line. */
const isProse = ({ kind }: SourceBlock): boolean =>
  kind === 'paragraph' || kind.startsWith('heading-') || kind === 'summary';

function mergeContainer(
  versions: Versions<SourceBlock>,
  kind: string,
  budget: ComparisonBudget,
): MergedContent | undefined {
  const heads = trivialMerge(mapVersions(versions, (block) => block.head));
  const head = heads ?? (kind === 'list-item' ? mergeNumbers(versions) : undefined);
  const tail = trivialMerge(mapVersions(versions, (block) => block.tail));
  if (head === undefined || tail === undefined) return undefined;
  const mergedBlocks = mergeBlocks(
    mapVersions(versions, (block) => block.blocks),
    (inner) => mergeInside(inner, budget),
    budget,
  );
  if (mergedBlocks.length === 0) return undefined;
  // The marker of an item decides the indentation of its lines: lines of another item do not fit.
  if (kind === 'list-item' && mergedBlocks.some(({ conflict }) => conflict !== undefined)) return undefined;
  const ends = mapVersions(versions, ({ blocks }) => blocks.at(-1)?.trail ?? '');
  const joined = join(mergedBlocks, {
    lineEnd: versions.primary.text.includes('\r\n') ? '\r\n' : '\n',
    end: trivialMerge(ends)?.value ?? longer(ends.primary, ends.proposed),
  });
  return {
    text: head.value + joined.text + tail.value,
    shape: containerShape(kind, mergedBlocks.flatMap(shapeOfMerged)),
    marks: joined.marks.map((mark) => ({
      ...mark,
      start: mark.start + head.value.length,
      end: mark.end + head.value.length,
    })),
  };
}

/** The number of a list item only repeats its position, so a difference in it is no conflict. */
function mergeNumbers(versions: Versions<SourceBlock>): { readonly value: string } | undefined {
  const heads = mapVersions(versions, ({ head }) => head.replace(/^(\s*)\d+/, '$1#'));
  const head = trivialMerge(heads)?.value;
  const { primary, proposed } = versions;
  if (head === undefined) return undefined;
  if (heads.primary === heads.proposed) return { value: longer(primary.head, proposed.head) };
  return { value: (head === heads.primary ? primary : proposed).head };
}
