import type {
  ContentRef,
  InlineContent,
  InlineNode,
  LinkInline,
  Mark,
  TextNode,
} from '../../document/index.ts';

/** A run of text, an inline, or a line break. The pieces of one link share one `link`. */
export type Piece =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly marks: readonly Mark[];
      readonly link?: LinkTarget;
    }
  | { readonly kind: 'inline'; readonly node: Exclude<InlineNode, LinkInline>; readonly link?: LinkTarget }
  | { readonly kind: 'break' };

export interface LinkTarget {
  readonly ref: ContentRef;
}

/**
 * The lines of pieces with white space as browsers show it: runs are one space, which is outside of marks, and there is
 * none at the edges of links and lines. A line without text is an empty one.
 */
export function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  let hasSpace = false;
  const push = (piece: Piece): void => {
    const line = lines.at(-1);
    if (hasSpace && line && line.length > 0) {
      const link = linkOf(line.at(-1));
      const isInside = link !== undefined && link === linkOf(piece);
      line.push({ kind: 'text', text: ' ', marks: [], ...(isInside && { link }) });
    }
    hasSpace = false;
    line?.push(piece);
  };
  for (const piece of pieces) {
    if (piece.kind === 'break') {
      lines.push([]);
      hasSpace = false;
    } else if (piece.kind === 'inline') push(piece);
    else {
      const text = piece.text.replace(/[ \t\n\f\r]+/g, ' ');
      const words = text.trim() === '' ? text.replaceAll(' ', '') : text.replace(/^ | $/g, '');
      if (text.startsWith(' ')) hasSpace = true;
      if (words !== '') push({ ...piece, text: words });
      if (text.endsWith(' ')) hasSpace = true;
    }
  }
  return lines.map((line) => trimmed(joined(line)));
}

/** Joins texts with the same marks, and spaces between two of them. */
function joined(line: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  line.forEach((piece, index) => {
    const last = out.at(-1);
    const next = line[index + 1];
    if (piece.kind !== 'text' || last?.kind !== 'text') {
      out.push(piece);
      return;
    }
    const isSpace =
      piece.text === ' ' && piece.marks.length === 0 && (!piece.link || piece.link === last.link);
    const isBetween = isSpace && next?.kind === 'text' && sameStyle(last, next);
    if (isBetween || sameStyle(last, piece)) out[out.length - 1] = { ...last, text: last.text + piece.text };
    else out.push(piece);
  });
  return out;
}

/** Removes no-break spaces at the edges, which are left of removed text. */
function trimmed(line: readonly Piece[]): Piece[] {
  const out = [...line];
  for (const [at, edge] of [
    [0, /^[\u00a0 ]+/],
    [out.length - 1, /(?<![\u00a0 ])[\u00a0 ]+$/],
  ] as const) {
    const piece = out[at];
    if (piece?.kind === 'text') out[at] = { ...piece, text: piece.text.replace(edge, '') };
  }
  return out.filter((piece) => piece.kind !== 'text' || piece.text !== '');
}

type TextPiece = Extract<Piece, { kind: 'text' }>;

const sameStyle = (one: TextPiece, other: TextPiece): boolean =>
  one.link === other.link &&
  one.marks.length === other.marks.length &&
  one.marks.every((mark) => other.marks.some(({ type }) => type === mark.type));

/** Lines as nodes of one paragraph. Empty lines are left out. */
export function nodesOf(lines: readonly (readonly Piece[])[], between: '\n' | ' '): InlineContent[] {
  const pieces = lines
    .filter((line) => line.length > 0)
    .flatMap((line, index): Piece[] =>
      index === 0 ? [...line] : [{ kind: 'text', text: between, marks: [] }, ...line],
    );
  const nodes: InlineContent[] = [];
  for (let at = 0; at < pieces.length;) {
    const link = linkOf(pieces[at]);
    let end = at + 1;
    if (link) while (linkOf(pieces[end]) === link) end++;
    const inner = pieces.slice(at, end).flatMap(nodeOf);
    if (link === undefined) nodes.push(...inner);
    else nodes.push({ object: 'inline', type: 'link', data: { ref: link.ref }, nodes: inner });
    at = end;
  }
  return mergedTexts(nodes);
}

const linkOf = (piece: Piece | undefined): LinkTarget | undefined =>
  piece === undefined || piece.kind === 'break' ? undefined : piece.link;

function nodeOf(piece: Piece): InlineContent[] {
  if (piece.kind === 'break') return [];
  if (piece.kind === 'inline') return [piece.node];
  return [{ object: 'text', leaves: [{ object: 'leaf', text: piece.text, marks: [...piece.marks] }] }];
}

/** Adjacent texts are one node with several leaves. */
function mergedTexts(nodes: readonly InlineContent[]): InlineContent[] {
  const out: InlineContent[] = [];
  let text: TextNode | undefined;
  for (const node of nodes) {
    if (node.object !== 'text') {
      out.push(node);
      text = undefined;
    } else if (text) text.leaves.push(...node.leaves);
    else {
      text = { ...node, leaves: [...node.leaves] };
      out.push(text);
    }
  }
  return out;
}
