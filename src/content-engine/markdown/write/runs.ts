import {
  PLAIN_MARKS,
  type InlineContent,
  type InlineNode,
  type Leaf,
  type LinkInline,
  type Mark,
} from '../../document/index.ts';

/** An inline other than a link. */
export type AtomInline = Exclude<InlineNode, LinkInline>;

/** Text with marks as a tree: neighbours that share a mark are its children together. */
export type Run =
  | { readonly kind: 'text'; readonly text: string; readonly code: boolean }
  | { readonly kind: 'inline'; readonly node: AtomInline }
  | { readonly kind: 'link'; readonly node: LinkInline; readonly runs: Run[] }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly runs: Run[] };

type Piece =
  | { readonly marks: readonly Mark[]; readonly leaf: Leaf; readonly node?: undefined }
  | { readonly marks: readonly Mark[]; readonly leaf?: undefined; readonly node: InlineNode };

/** Outermost first. Code is innermost: backticks cannot contain other marks. */
const ORDER: readonly Mark['type'][] = ['color', ...PLAIN_MARKS.filter((type) => type !== 'code')];

export function runsOf(nodes: readonly InlineContent[]): Run[] {
  return group(pieces(nodes), []);
}

function pieces(nodes: readonly InlineContent[]): Piece[] {
  const all: Piece[] = [];
  for (const node of nodes) {
    if (node.object === 'inline') all.push({ marks: sharedMarks(node), node });
    else for (const leaf of node.leaves) if (leaf.text !== '') addLeaf(all, leaf);
  }
  return all;
}

/** Text with the same marks is one piece, however it is divided into leaves. */
function addLeaf(all: Piece[], leaf: Leaf): void {
  const { marks } = leaf;
  const last = all.at(-1);
  if (last?.leaf && last.marks.length === marks.length && marks.every((mark) => hasMark(last.marks, mark))) {
    all[all.length - 1] = { marks, leaf: { ...leaf, text: last.leaf.text + leaf.text } };
  } else all.push({ marks, leaf });
}

/** A link is inside a mark when all its text has it. */
function sharedMarks(node: InlineNode): readonly Mark[] {
  if (node.type !== 'link') return [];
  const leaves = (node.nodes ?? []).flatMap((child) => (child.object === 'text' ? child.leaves : []));
  const [first, ...rest] = leaves.filter((leaf) => leaf.text !== '');
  return (first?.marks ?? []).filter(
    (mark) => mark.type !== 'code' && rest.every((leaf) => hasMark(leaf.marks, mark)),
  );
}

const hasMark = (marks: readonly Mark[], mark: Mark): boolean => marks.some((one) => sameMark(one, mark));

const sameMark = (one: Mark, other: Mark): boolean =>
  one.type === other.type &&
  one.data?.text === other.data?.text &&
  one.data?.background === other.data?.background;

function group(all: readonly Piece[], open: readonly Mark[]): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (let piece = all[at]; piece; piece = all[at]) {
    const mark = nextMark(piece, open);
    if (!mark) {
      runs.push(runOf(piece, open));
      at++;
      continue;
    }
    const start = at;
    while (hasMark(all[at]?.marks ?? [], mark)) at++;
    runs.push({ kind: 'mark', mark, runs: group(all.slice(start, at), [...open, mark]) });
  }
  return runs;
}

function nextMark({ marks }: Piece, open: readonly Mark[]): Mark | undefined {
  for (const type of ORDER) {
    const mark = marks.find((one) => one.type === type);
    if (mark && !hasMark(open, mark)) return mark;
  }
  return undefined;
}

function runOf({ leaf, node, marks }: Piece, open: readonly Mark[]): Run {
  if (leaf) return { kind: 'text', text: leaf.text, code: marks.some((mark) => mark.type === 'code') };
  if (node.type !== 'link') return { kind: 'inline', node };
  return { kind: 'link', node, runs: group(pieces(node.nodes ?? []), open) };
}
