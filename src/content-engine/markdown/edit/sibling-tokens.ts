import type { Token } from '../scan/token.ts';

/**
 * Tokens as their nodes are in the document. A tag that is not closed, or not known, contains the blocks after it in the
 * token tree, but its nodes are siblings of theirs in the document.
 */
export const siblingTokens = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => parts(token) ?? [token]);

function parts(token: Token): Token[] | undefined {
  const children = token.children ?? [];
  const [first] = children;
  if (token.nodes.length < 2 || !first) return undefined;
  const inside = children.flatMap(({ nodes }) => nodes);
  const from = inside[0] ? token.nodes.indexOf(inside[0]) : -1;
  if (from < 1 || !inside.every((node, index) => token.nodes[from + index] === node)) return undefined;
  const openEnd = token.tag ? token.tag.end : token.to;
  const open: Token = { ...token, end: openEnd, children: null, nodes: token.nodes.slice(0, from) };
  const rest = token.nodes.slice(from + inside.length);
  if (rest.length === 0) return [open, ...siblingTokens(children)];
  const close: Token = {
    ...token,
    cut: token.closeCut,
    start: token.closeStart,
    children: null,
    nodes: rest,
  };
  return [open, ...siblingTokens(children), close];
}
