import type { ComparisonBudget } from '../../diff/index.ts';
import type { Parsed } from '../parse.ts';
import { isEmpty, type BlockNode } from '../../document/index.ts';
import type { RewriteLevels } from './rewrite-levels.ts';
import { isCallout } from '../blocks/callouts.ts';
import { startOf } from '../blocks/lists.ts';
import { marked, shifted, withStart } from './list-markers.ts';
import { mergeTable } from './merge-table.ts';
import { mergeText, withInserted } from './merge-text.ts';
import type { Footnotes } from './footnotes.ts';
import { indented, Output, type Place } from './output.ts';
import { formerUnits, keptUnits, partnersOf, type Unit } from './pair-blocks.ts';
import { innerEnd } from '../ranges.ts';
import type { Token, TokenKind } from '../scan/token.ts';
import { contentOf, hasSameWrapper, wrapperOf } from './container-wrapper.ts';
import { inSourceForm } from './keep-source-form.ts';
import { outdented, prefixIn, type OriginalSource } from './original-source.ts';
import { siblingTokens } from './sibling-tokens.ts';
import { Writer, type WriteOptions } from '../write/writer.ts';

/** Options of merging an edited document into its source. */
export interface Merging extends WriteOptions {
  readonly originalSource: OriginalSource;
  readonly footnotes: Footnotes;
  readonly levels: RewriteLevels;
  readonly budget: ComparisonBudget;
  /** A blank line around everything that is rewritten. */
  readonly spaced: boolean;
}

/** The surroundings of blocks, and how one of them is written there. */
interface Frame extends Place {
  readonly write: (block: BlockNode, index: number) => string;
  /** The text of a block with the marker of this list. */
  readonly mark: (text: string, index: number) => string;
  /** The difference between the old and new numbers of the items. */
  readonly shift: number;
}

/** A changed range between two unchanged blocks. */
interface Gap {
  readonly units: readonly Unit[];
  readonly nodes: readonly BlockNode[];
  /** The index of the first of the nodes. */
  readonly offset: number;
  /** The former unit of a node, wherever it was, and the node that a unit became. */
  readonly former: ReadonlyMap<BlockNode, Unit>;
  readonly successors: ReadonlyMap<Unit, BlockNode>;
}

/** The body of an edited document: unchanged blocks keep their bytes, and changed ones as many as possible. */
export function mergeBlocks(parsed: Parsed, nodes: readonly BlockNode[], merging: Merging): string {
  return new Merger(parsed, merging).merge(nodes);
}

/** Containers with an end of their own. Without it, their blocks are siblings. */
const CLOSED: ReadonlySet<TokenKind> = new Set(['tag', 'details', 'directive']);

/** New blocks at the end of these belong before the blank lines below them. */
const PREFIXED_LINES: ReadonlySet<TokenKind> = new Set(['quote', 'admonition']);

class Merger {
  readonly #body: string;
  readonly #tokens: readonly Token[];
  readonly #merging: Merging;
  readonly #writer: Writer;
  /** New texts of tokens that have no node, such as summaries. */
  readonly #texts = new Map<Token, string>();
  /** While set, blocks are written as if they had no source. */
  #ignoresSource = false;

  constructor({ body, tokens }: Parsed, merging: Merging) {
    this.#body = body;
    this.#tokens = tokens;
    this.#merging = merging;
    const { hrefOf, footnotes, originalSource } = merging;
    this.#writer = new Writer({
      ...(hrefOf ? { hrefOf } : {}),
      taken: footnotes.taken,
      labelOf: footnotes.labelOf,
      spelledHref: originalSource.href,
      spelledBlock: (block) => this.#spelled(block),
    });
  }

  merge(nodes: readonly BlockNode[]): string {
    const lead = this.#body.slice(0, this.#tokens[0]?.cut ?? this.#body.length);
    const frame = this.#frame({ prefix: '', tight: false });
    const text = lead + this.#blocks(this.#tokens, this.#body.length, nodes, frame);
    const notes = this.#writer.notes();
    if (notes.length === 0) return text;
    // New footnotes come last.
    return `${[text.trimEnd(), ...notes].join('\n\n')}\n`;
  }

  #blocks(children: readonly Token[], end: number, edited: readonly BlockNode[], frame: Frame): string {
    const tokens = siblingTokens(children);
    const units = tokens.map((token, index) => ({
      token,
      end: tokens[index + 1]?.cut ?? end,
      nodes: token.nodes.filter((node) => !isEmpty(node)),
    }));
    const nodes = edited.filter((node) => !isEmpty(node));
    const { levels, footnotes, spaced } = this.#merging;
    const kept = keptUnits(
      units,
      nodes,
      ({ token }, node) => levels.of(node) < 2 && !footnotes.around.has(token),
      this.#merging.budget,
    );
    const former = formerUnits(units, nodes, kept);
    const successors = new Map(Array.from(former, ([node, unit]) => [unit, node]));
    const out = new Output(frame, spaced);
    let done = 0;
    let gap: Unit[] = [];
    for (const [index, unit] of units.entries()) {
      const at = kept.get(index);
      if (at === undefined) {
        gap.push(unit);
        continue;
      }
      this.#gap(out, { units: gap, nodes: nodes.slice(done, at), offset: done, former, successors }, frame);
      gap = [];
      done = at + unit.nodes.length;
      out.meet(unit.nodes, false);
      out.source(shifted(this.#body.slice(unit.token.cut, unit.end), frame.shift));
    }
    this.#gap(out, { units: gap, nodes: nodes.slice(done), offset: done, former, successors }, frame);
    return out.text;
  }

  /** Merges a changed range. An old block with a new partner keeps the bytes around it. */
  #gap(out: Output, { units, nodes, offset, former, successors }: Gap, frame: Frame): void {
    const here = new Set(nodes);
    const old = units.filter((unit) => {
      const node = successors.get(unit);
      return unit.nodes.length > 0 && (node === undefined || here.has(node));
    });
    const partner = new Map(
      partnersOf(old, nodes, this.#merging.budget).map(([unit, node]) => [old[unit], node]),
    );
    let done = 0;
    const insertUpTo = (end: number): void => {
      for (; done < end; done++) {
        const node = nodes[done] as BlockNode;
        const unit = former.get(node);
        const text = unit && this.#moved(unit, node, offset + done, frame);
        out.meet([node], true);
        out.insert(text ?? frame.write(node, offset + done));
      }
    };
    for (const unit of units) {
      if (unit.nodes.length === 0) {
        if (unit.token.kind === 'comment') out.meet([], false);
        out.source(this.#unread(unit, frame));
        continue;
      }
      const at = partner.get(unit);
      if (at === undefined) {
        out.forget();
        continue;
      }
      insertUpTo(at);
      const node = nodes[at] as BlockNode;
      out.meet([node], node.type !== unit.nodes[0]?.type);
      this.#replace(out, unit, node, offset + at, frame);
      done = at + 1;
    }
    insertUpTo(nodes.length);
  }

  /** Source without a node: comments and definitions stay, summaries and footnotes may have changed. */
  #unread({ token, end }: Unit, frame: Frame): string {
    const trail = this.#body.slice(token.end, end);
    const text = this.#texts.get(token);
    if (text !== undefined) return this.#body.slice(token.cut, token.start) + text + trail;
    if (!this.#merging.footnotes.changed.has(token)) return this.#body.slice(token.cut, end);
    const nodes = this.#merging.footnotes.changed.get(token);
    if (nodes === undefined) return '';
    const inner = this.#frame({ prefix: prefixIn(token, frame.prefix), tight: false });
    const [first] = token.children ?? [];
    if (first && !nodes.every(isEmpty))
      return this.#body.slice(token.cut, first.cut) + this.#blocks(token.children ?? [], end, nodes, inner);
    const body = indented(this.#writer.blocks(nodes), inner.prefix);
    return `${this.#body.slice(token.cut, token.start)}${`[^${token.name}]: ${body}`.trimEnd()}${trail}`;
  }

  #replace(out: Output, unit: Unit, node: BlockNode, index: number, frame: Frame): void {
    const level = this.#merging.levels.of(node);
    const inside = level === 0 ? this.#inside(unit, node, index, frame) : undefined;
    if (inside !== undefined) {
      out.source(shifted(inside, frame.shift));
      return;
    }
    const { token, end } = unit;
    const lead = this.#body.slice(token.cut, token.start);
    const trail = this.#body.slice(token.end, end);
    const merged = this.#merged(unit, node, index, frame);
    if (merged !== undefined) {
      out.replace(lead, shifted(merged, frame.shift), trail);
      return;
    }
    const written = indented(frame.write(node, index), frame.prefix);
    // The written block may need less indentation than the source, where it made a block of code.
    out.replace(lead.startsWith(frame.prefix) ? frame.prefix : lead, written, trail);
  }

  /** The source of the block with the edit in it. At a higher level only comments and tags of the source remain. */
  #merged({ token, nodes }: Unit, node: BlockNode, index: number, frame: Frame): string | undefined {
    const [old, ...more] = nodes;
    const { levels, budget } = this.#merging;
    const level = levels.of(node);
    if (!old || more.length > 0 || level > 1 || isCallout(token)) return undefined;
    if (token.kind === 'pipe' && old.type === 'table' && node.type === 'table') {
      const table = {
        body: this.#body,
        token,
        old,
        edited: node,
        writer: this.#writer,
        prefix: frame.prefix,
      };
      const text = this.#writeIgnoringSource(() => mergeTable({ ...table, keepsSpelling: level === 0 }));
      if (text !== undefined) return text;
    }
    const write = (block: BlockNode): string => {
      const text = inSourceForm(this.#writer, token, block) ?? frame.write(block, index);
      return indented(text, frame.prefix);
    };
    const [ancestor, written] = this.#writeIgnoringSource(() => [write(old), write(node)]);
    const own = this.#body.slice(token.start, token.end);
    const source = level > 0 && !token.children ? withInserted(ancestor, own, budget) : own;
    return written === '' ? '' : mergeText({ ancestor, source, written }, budget);
  }

  /** A block that was moved and edited. */
  #moved(unit: Unit, node: BlockNode, index: number, frame: Frame): string | undefined {
    if (this.#merging.levels.of(node) > 0) return undefined;
    const { cut, start } = unit.token;
    const lead = this.#body.slice(cut, start);
    const text =
      this.#inside(unit, node, index, frame) ?? lead + (this.#merged(unit, node, index, frame) ?? '');
    const atLineStart = cut === 0 || this.#body[cut - 1] === '\n';
    const own = outdented(text.trimEnd(), frame.prefix, atLineStart);
    return own ? frame.mark(own, index) : undefined;
  }

  #writeIgnoringSource<T>(write: () => T): T {
    const before = this.#ignoresSource;
    this.#ignoresSource = true;
    const written = write();
    this.#ignoresSource = before;
    return written;
  }

  #spelled(block: BlockNode, inside = ''): string | undefined {
    const { levels, originalSource } = this.#merging;
    return this.#ignoresSource || levels.of(block) > 0 ? undefined : originalSource.block(block, inside);
  }

  /** The container with the edit in its own lines, and its content merged block by block. */
  #inside({ token, end, nodes }: Unit, edited: BlockNode, index: number, frame: Frame): string | undefined {
    const [old] = nodes;
    const [first] = token.children ?? [];
    if (!old || !first || nodes.length !== 1 || old.type !== edited.type) return undefined;
    if (CLOSED.has(token.kind) && token.closeStart < 0) return undefined;
    if (token.tag?.name === 'code') return undefined;
    const content = contentOf(edited);
    if (content.length === 0) return undefined;
    const head = this.#head(token, first, old, edited, (block) => frame.write(block, index), frame);
    if (head === undefined) return undefined;
    const stop = PREFIXED_LINES.has(token.kind) ? token.end : innerEnd(token, end);
    const inner = this.#frameIn(token, old, edited, frame);
    const middle = this.#blocks(token.children ?? [], stop, content, inner);
    const numbered = token.kind === 'list' ? withStart(middle, edited) : middle;
    const rest = this.#body.slice(stop, end);
    const text = head + (rest.startsWith('\n') ? numbered.replace(/\n$/, '') : numbered) + rest;
    // Blank lines after a list belong to its last item, which may be deleted.
    const trail = this.#body.slice(token.end, end);
    return text.endsWith(trail) ? text : text.trimEnd() + trail;
  }

  /** The source before the first block of a container. Undefined: the source form cannot express the edit. */
  #head(
    token: Token,
    first: Token,
    old: BlockNode,
    edited: BlockNode,
    write: (block: BlockNode) => string,
    { prefix }: Frame,
  ): string | undefined {
    if (token.kind === 'list' || hasSameWrapper(old, edited)) return this.#body.slice(token.cut, first.cut);
    if (isCallout(token)) return undefined;
    const [before, after] = this.#writeIgnoringSource(() => [
      wrapperOf(old, write),
      wrapperOf(edited, write),
    ]);
    if (!before || !after) return undefined;
    const merge = (ancestor: string, own: string, written: string): string => {
      const lines = (text: string): string => indented(text, prefix);
      const texts = { ancestor: lines(ancestor), source: own, written: lines(written) };
      return mergeText(texts, this.#merging.budget);
    };
    if (before.summary !== after.summary) {
      if (first.kind !== 'summary') return undefined;
      const own = this.#body.slice(first.start, first.end);
      this.#texts.set(first, merge(before.summary, own, after.summary));
    }
    const lead = this.#body.slice(token.cut, token.start);
    return lead + merge(before.head, this.#body.slice(token.start, first.cut), after.head);
  }

  #frame(place: Place): Frame {
    return { ...place, shift: 0, write: (block) => this.#writer.block(block), mark: (text) => text };
  }

  #frameIn(token: Token, old: BlockNode, container: BlockNode, outer: Frame): Frame {
    const [first] = token.children ?? [];
    const frame = this.#frame({
      prefix: prefixIn(token, outer.prefix),
      tight: token.kind === 'list',
      ownLine: first !== undefined && this.#body[first.cut - 1] === '\n',
    });
    if (token.kind !== 'list') return frame;
    const start = startOf(container);
    const mark = (text: string, index: number): string => marked(text, token, start + index);
    return {
      ...frame,
      mark,
      shift: start - startOf(old),
      write: (item, index) => mark(this.#item(container, item, start + index), index),
    };
  }

  #item(list: BlockNode, item: BlockNode, start: number): string {
    return this.#spelled(item, list.type) ?? this.#writer.block(listOfOne(list, item, start));
  }
}

/** A list of the same type with one item only. */
function listOfOne(list: BlockNode, item: BlockNode, start: number): BlockNode {
  if (item.type !== 'list-item') return item;
  switch (list.type) {
    case 'list-ordered':
      return { object: 'block', type: list.type, data: { start }, nodes: [item] };
    case 'list-unordered':
    case 'list-tasks':
      return { object: 'block', type: list.type, nodes: [item] };
    default:
      return item;
  }
}
