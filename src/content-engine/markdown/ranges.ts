import type { Parsed } from './parse.ts';
import { HEAD_OFFSETS, rowHash } from './blocks/table.ts';
import { hashRange, KeyMaker } from '../document/index.ts';
import type { Token } from './scan/token.ts';

/** A block as a range of the body. Top-level ranges cover the body without gaps. */
export interface BlockRange {
  readonly start: number;
  readonly end: number;
  /**
   * The key of its node in the document; of its bytes when it has none (comments, footnotes, blank lines). Of a row of a
   * table, the key of the table and the id of the row.
   */
  readonly key: string;
  /** Type of its node, or `blank`, `comment`, `definition`, `footnote`, `table-row`. */
  readonly kind: string;
  readonly children: readonly BlockRange[];
}

export function rangesOf({ body, tokens }: Pick<Parsed, 'body' | 'tokens'>): BlockRange[] {
  const keys = new KeyMaker();
  const ranges: BlockRange[] = [];
  const first = tokens[0]?.cut ?? body.length;
  if (first > 0) {
    ranges.push({
      start: 0,
      end: first,
      key: keys.next(hashRange(body, 0, first, 41)),
      kind: 'blank',
      children: [],
    });
  }
  return [...ranges, ...rangesIn(body, tokens, body.length, keys)];
}

function rangesIn(body: string, tokens: readonly Token[], end: number, keys: KeyMaker): BlockRange[] {
  return tokens.map((token, index) => {
    const stop = tokens[index + 1]?.cut ?? end;
    const node = token.nodes[0];
    const key = node?.key ?? keys.next(hashRange(body, token.cut, stop, 42));
    const isTable = token.kind === 'pipe' && node?.type === 'table';
    return {
      start: token.cut,
      end: stop,
      key,
      kind: node?.type ?? token.kind,
      children: isTable
        ? rowsOf(body, token, key, stop)
        : rangesIn(body, token.children ?? [], innerEnd(token, stop), keys),
    };
  });
}

/** Rows of a pipe table, without its head. */
function rowsOf(body: string, token: Token, tableKey: string, end: number): BlockRange[] {
  const lines = token.lines ?? [];
  const ids = new KeyMaker();
  const rows: BlockRange[] = [];
  for (let index = HEAD_OFFSETS; index < lines.length; index += 2) {
    const [start, stop] = [lines[index] as number, lines[index + 1] as number];
    const key = `${tableKey}/${ids.next(rowHash(body, start, stop))}`;
    rows.push({ start, end: lines[index + 2] ?? end, key, kind: 'table-row', children: [] });
  }
  return rows;
}

/** The end of the content of a container: its end tag, or its own end. */
export const innerEnd = (token: Token, end: number): number =>
  token.closeStart >= 0 && token.closeStart < token.end ? token.closeCut : end;
