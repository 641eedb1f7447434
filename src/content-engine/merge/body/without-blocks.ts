import { parseBlocks, type BlockRange } from '../../markdown/index.ts';
import { trimBlank } from './unit.ts';

/** A body without the blocks that have one of the keys, wherever they stand. It ends as it did. */
export function withoutBlocks(body: string, keys: ReadonlySet<string>): string {
  let text = '';
  let done = 0;
  for (const { start, end } of rangesOf(parseBlocks(body), keys)) {
    text += body.slice(done, start);
    done = end;
  }
  if (done < body.length) return text + body.slice(done);
  const end = body.slice(trimBlank(body).length);
  return text.trim() === '' ? '' : trimBlank(text) + end;
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
