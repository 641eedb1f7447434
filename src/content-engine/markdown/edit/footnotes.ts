import { pairUp, type ComparisonBudget } from '../../diff/index.ts';
import type { Parsed } from '../parse.ts';
import {
  canonicalBlocks,
  childrenOf,
  fragmentBlocks,
  type AnyNode,
  type BlockNode,
  type FragmentNode,
  type JSONDocument,
} from '../../document/index.ts';
import type { Token } from '../scan/token.ts';

/** How the footnotes of a body change with its document. */
export interface Footnotes {
  readonly taken: ReadonlySet<string>;
  /** The label of the footnote with this body, before or after the edit. */
  readonly labelOf: (fragments: readonly FragmentNode[]) => string | undefined;
  /** Footnotes whose text changes, with their new body; undefined where nothing refers to them any more. */
  readonly changed: ReadonlyMap<Token, readonly BlockNode[] | undefined>;
  /** Containers of changed footnotes: their source changes, though their nodes do not. */
  readonly around: ReadonlySet<Token>;
}

interface Note {
  readonly text: string;
  readonly nodes: readonly BlockNode[];
}

const noteOf = (nodes: readonly BlockNode[]): Note => ({
  text: JSON.stringify(canonicalBlocks(nodes)),
  nodes,
});

export function footnotesOf(
  { document, footnotes, tokens }: Parsed,
  edited: JSONDocument,
  inPlace: boolean,
  budget: ComparisonBudget,
): Footnotes {
  const labels = new Map<string, string>();
  for (const [label, token] of footnotes) {
    labels.set(noteOf((token.children ?? []).flatMap((child) => child.nodes)).text, label);
  }
  const changed = new Map<Token, readonly BlockNode[] | undefined>();
  if (inPlace && footnotes.size > 0) {
    const [before, after] = [annotationsIn(document), annotationsIn(edited)];
    const [had, has] = [new Set(before.map(({ text }) => text)), new Set(after.map(({ text }) => text))];
    const ownerOf = ({ text }: Note): Token | undefined => {
      const token = footnotes.get(labels.get(text) ?? '');
      return token && had.has(text) && !has.has(text) ? token : undefined;
    };
    for (const [old, now] of replaced(before, after, budget)) {
      const token = ownerOf(old);
      if (!token || changed.has(token) || labels.has(now.text)) continue;
      changed.set(token, now.nodes);
      labels.set(now.text, token.name);
    }
    for (const old of before) {
      const token = ownerOf(old);
      if (token && !changed.has(token)) changed.set(token, undefined);
    }
  }
  return {
    taken: new Set(footnotes.keys()),
    labelOf: (fragments) => labels.get(noteOf(fragments.flatMap(({ nodes }) => nodes)).text),
    changed,
    around: changed.size > 0 ? containersOf(tokens, changed) : new Set(),
  };
}

function containersOf(tokens: readonly Token[], notes: ReadonlyMap<Token, unknown>): Set<Token> {
  const around = new Set<Token>();
  const holds = (token: Token): boolean => {
    let found = notes.has(token);
    for (const child of token.children ?? []) if (holds(child)) found = true;
    if (found) around.add(token);
    return found;
  };
  tokens.forEach(holds);
  return around;
}

/** Pairs of footnotes, old and new, at the same place. */
function replaced(before: readonly Note[], after: readonly Note[], budget: ComparisonBudget): [Note, Note][] {
  const textsOf = (notes: readonly Note[]): string[] => notes.map(({ text }) => text);
  const found: [Note, Note][] = [];
  let [b, a] = [0, 0];
  for (const [nextB, nextA] of [
    ...pairUp(textsOf(before), textsOf(after), budget),
    [before.length, after.length] as const,
  ]) {
    for (; b < nextB && a < nextA; b++, a++) found.push([before[b] as Note, after[a] as Note]);
    [b, a] = [nextB + 1, nextA + 1];
  }
  return found;
}

/** The bodies of the annotations of a document, in its order. */
function annotationsIn(document: JSONDocument): Note[] {
  const notes: Note[] = [];
  const pending: AnyNode[] = document.nodes.toReversed();
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.object === 'inline' && node.type === 'annotation') notes.push(noteOf(fragmentBlocks(node)));
    else for (const child of childrenOf(node).toReversed()) pending.push(child);
  }
  return notes;
}
