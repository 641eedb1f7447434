import type { Parsed } from '../parse.ts';
import {
  defaultRef,
  fingerprint,
  fitRef,
  type BlockNode,
  type ContentRef,
  type HrefKind,
  type Resolve,
} from '../../document/index.ts';
import type { Token } from '../scan/token.ts';
import { siblingTokens } from './sibling-tokens.ts';

/** Blocks and references as the source writes them, for blocks that are moved and references that are reused. */
export interface OriginalSource {
  /** The source of an equal block, without the prefixes of its containers. */
  block(block: BlockNode, inside?: string): string | undefined;
  href(ref: ContentRef, kind: HrefKind): string | undefined;
}

export function originalSourceOf(parsed: Parsed, resolve: Resolve | undefined): OriginalSource {
  let blocks: ReadonlyMap<string, string> | undefined;
  let hrefs: ReadonlyMap<string, string> | undefined;
  return {
    block: (block, inside = '') => (blocks ??= blocksIn(parsed)).get(inside + fingerprint(block)),
    href: (ref, kind) => (hrefs ??= hrefsIn(parsed, resolve)).get(nameOf(ref, kind)),
  };
}

/** Equal for equal references, regardless of the order of members. */
const nameOf = (ref: ContentRef, kind: HrefKind): string =>
  kind + JSON.stringify(Object.entries(ref).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function hrefsIn({ hrefs }: Parsed, resolve: Resolve | undefined): Map<string, string> {
  const spelled = new Map<string, string>();
  for (const found of hrefs) {
    const { href, kind } = found;
    const ref = fitRef(resolve?.(found) ?? defaultRef(href, kind), kind, href);
    const name = nameOf(ref, kind);
    if (ref.kind !== 'url' && !spelled.has(name)) spelled.set(name, href);
  }
  return spelled;
}

function blocksIn({ body, tokens }: Parsed): Map<string, string> {
  const spelled = new Map<string, string>();
  const add = (list: readonly Token[], prefix: string, inside: string): void => {
    for (const token of siblingTokens(list)) {
      const [node, ...more] = token.nodes;
      const text = node && more.length === 0 ? withoutPrefix(body, token, prefix) : undefined;
      if (node && text !== undefined) {
        const name = inside + fingerprint(node);
        if (!spelled.has(name)) spelled.set(name, text);
      }
      add(token.children ?? [], prefixIn(token, prefix), token.kind === 'list' ? (node?.type ?? '') : '');
    }
  };
  add(tokens, '', '');
  return spelled;
}

/** The prefix of lines inside a container. */
export function prefixIn(token: Token, prefix: string): string {
  if (token.kind === 'item' || token.kind === 'footnote' || token.kind === 'admonition')
    return prefix + ' '.repeat(token.pad);
  return token.kind === 'quote' ? `${prefix}> ` : prefix;
}

/** The text of a block without its prefix; undefined where a line lacks the prefix, as lazy continuation lines do. */
function withoutPrefix(body: string, { cut, end }: Token, prefix: string): string | undefined {
  const atLineStart = cut === 0 || body[cut - 1] === '\n';
  return outdented(body.slice(cut, end), prefix, atLineStart);
}

export function outdented(text: string, prefix: string, atLineStart: boolean): string | undefined {
  const own: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (index === 0 && !atLineStart) own.push(line);
    else if (line.startsWith(prefix)) own.push(line.slice(prefix.length));
    else if (line.trimEnd() === prefix.trimEnd()) own.push('');
    else return undefined;
  }
  return own.join('\n');
}
