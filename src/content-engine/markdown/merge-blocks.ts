import type { Parsed } from './analyse.ts';
import { emptyBlock } from './canonical-blocks.ts';
import type { BlockNode } from './document.ts';
import type { Doubts } from './doubts.ts';
import { mergeText, withInserted } from './merge-text.ts';
import type { Notes } from './notes.ts';
import { indented, Output, type Place } from './output.ts';
import { keptUnits, partnersOf, type Unit } from './pair-blocks.ts';
import { innerEnd } from './ranges.ts';
import type { Token } from './scan/token.ts';
import { contentOf, sameShell, shellOf } from './shell.ts';
import { inSourceForm } from './source-form.ts';
import { prefixIn, type Spelling } from './spelling.ts';
import { unfolded } from './unfold.ts';
import { Writer, type WriteOptions } from './write/writer.ts';

/** How an edited document is put into its source. */
export interface Merging extends WriteOptions {
  readonly spelling: Spelling;
  readonly notes: Notes;
  readonly doubts: Doubts;
  /** A blank line around everything that is rewritten. */
  readonly spaced: boolean;
}

/** Where blocks stand, and how one of them is written. */
interface Frame extends Place {
  readonly write: (block: BlockNode, index: number) => string;
  /** By how much the numbers of the items change. */
  readonly shift: number;
}

/** The body of a document that was edited: source bytes for blocks that stayed, and as many as can be for the others. */
export function mergeBlocks(parsed: Parsed, nodes: readonly BlockNode[], merging: Merging): string {
  return new Merger(parsed, merging).merge(nodes);
}

class Merger {
  readonly #body: string;
  readonly #tokens: readonly Token[];
  readonly #merging: Merging;
  readonly #writer: Writer;
  readonly #lineEnd: string;
  /** Texts that a block has now in the place of its own. */
  readonly #texts = new Map<Token, string>();
  /** Blocks are written as if they had no source. */
  #anew = false;

  constructor({ body, tokens }: Parsed, merging: Merging) {
    this.#body = body;
    this.#tokens = tokens;
    this.#merging = merging;
    const { hrefOf, notes, spelling } = merging;
    this.#writer = new Writer({
      ...(hrefOf ? { hrefOf } : {}),
      taken: notes.taken,
      labelOf: notes.labelOf,
      spelledHref: spelling.href,
      spelledBlock: (block) => this.#spelled(block),
    });
    this.#lineEnd = body.includes('\r\n') ? '\r\n' : '\n';
  }

  merge(nodes: readonly BlockNode[]): string {
    const lead = this.#body.slice(0, this.#tokens[0]?.cut ?? this.#body.length);
    const frame = this.#frame({ prefix: '', tight: false });
    const text = lead + this.#blocks(this.#tokens, this.#body.length, nodes, frame);
    const notes = this.#writer.notes();
    if (notes.length === 0) return text;
    // Footnotes that did not exist before come last.
    const end = this.#lineEnd;
    return `${text.trimEnd()}${end}${end}${notes.join('\n\n').replaceAll('\n', end)}${end}`;
  }

  #blocks(children: readonly Token[], end: number, edited: readonly BlockNode[], frame: Frame): string {
    const tokens = unfolded(children);
    const units = tokens.map((token, index) => ({
      token,
      end: tokens[index + 1]?.cut ?? end,
      nodes: token.nodes.filter((node) => !emptyBlock(node)),
    }));
    const nodes = edited.filter((node) => !emptyBlock(node));
    const { doubts, notes, spaced } = this.#merging;
    const kept = keptUnits(
      units,
      nodes,
      ({ token }, node) => doubts.of(node) < 2 && !notes.around.has(token),
    );
    const out = new Output(this.#lineEnd, frame, spaced);
    let done = 0;
    let gap: Unit[] = [];
    for (const [index, unit] of units.entries()) {
      const at = kept.get(index);
      if (at === undefined) {
        gap.push(unit);
        continue;
      }
      this.#gap(out, gap, nodes.slice(done, at), done, frame);
      gap = [];
      done = at + unit.nodes.length;
      out.meet(unit.nodes, false);
      out.source(shifted(this.#body.slice(unit.token.cut, unit.end), frame));
    }
    this.#gap(out, gap, nodes.slice(done), done, frame);
    return out.text;
  }

  /** Blocks that changed between two that stayed: old ones in the place of which a new one stands keep what is around. */
  #gap(out: Output, units: readonly Unit[], nodes: readonly BlockNode[], offset: number, frame: Frame): void {
    const old = units.filter((unit) => unit.nodes.length > 0);
    const partner = new Map(partnersOf(old, nodes).map(([unit, node]) => [old[unit], node]));
    let done = 0;
    const insertUpTo = (end: number): void => {
      for (; done < end; done++) {
        const node = nodes[done] as BlockNode;
        out.meet([node], true);
        out.insert(frame.write(node, offset + done));
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

  /** What is no block of the document: comments and definitions stay, summaries and notes may have changed. */
  #unread({ token, end }: Unit, frame: Frame): string {
    const trail = this.#body.slice(token.end, end);
    const text = this.#texts.get(token);
    if (text !== undefined) return this.#body.slice(token.cut, token.start) + text + trail;
    if (!this.#merging.notes.changed.has(token)) return this.#body.slice(token.cut, end);
    const nodes = this.#merging.notes.changed.get(token);
    if (nodes === undefined) return '';
    const inner = this.#frame({ prefix: prefixIn(token, frame.prefix), tight: false });
    const [first] = token.children ?? [];
    if (first && !nodes.every(emptyBlock))
      return this.#body.slice(token.cut, first.cut) + this.#blocks(token.children ?? [], end, nodes, inner);
    const body = indented(this.#writer.blocks(nodes), inner.prefix, this.#lineEnd);
    return `${this.#body.slice(token.cut, token.start)}${`[^${token.name}]: ${body}`.trimEnd()}${trail}`;
  }

  #replace(out: Output, unit: Unit, node: BlockNode, index: number, frame: Frame): void {
    const doubt = this.#merging.doubts.of(node);
    const inside = doubt === 0 ? this.#inside(unit, node, index, frame) : undefined;
    if (inside !== undefined) {
      out.source(shifted(inside, frame));
      return;
    }
    const { token, end } = unit;
    const [old, ...more] = unit.nodes;
    const write = (block: BlockNode): string => {
      const text = inSourceForm(this.#writer, token, block) ?? frame.write(block, index);
      return indented(text, frame.prefix, this.#lineEnd);
    };
    const lead = this.#body.slice(token.cut, token.start);
    const trail = this.#body.slice(token.end, end);
    if (old && more.length === 0 && doubt < 2) {
      out.replace(lead, shifted(this.#merged(token, old, node, write, doubt > 0), frame), trail);
      return;
    }
    // What is written does not stand as deep as what stood here, which may have been code for that.
    out.replace(lead.startsWith(frame.prefix) ? frame.prefix : lead, write(node), trail);
  }

  /** The block with the edit in it. In doubt, it is spelled as we do, but for what has no other spelling. */
  #merged(
    token: Token,
    old: BlockNode,
    node: BlockNode,
    write: (block: BlockNode) => string,
    inDoubt: boolean,
  ): string {
    const [ancestor, written] = this.#writtenAnew(() => [write(old), write(node)]);
    const own = this.#body.slice(token.start, token.end);
    const source = inDoubt && !token.children ? withInserted(ancestor, own) : own;
    return written === '' ? '' : mergeText({ ancestor, source, written });
  }

  #writtenAnew<T>(write: () => T): T {
    const before = this.#anew;
    this.#anew = true;
    const written = write();
    this.#anew = before;
    return written;
  }

  #spelled(block: BlockNode, inside = ''): string | undefined {
    const { doubts, spelling } = this.#merging;
    return this.#anew || doubts.of(block) > 0 ? undefined : spelling.block(block, inside);
  }

  /** The container with the edit in its own lines, if any, and what it holds block by block. */
  #inside({ token, end, nodes }: Unit, edited: BlockNode, index: number, frame: Frame): string | undefined {
    const [old] = nodes;
    const [first] = token.children ?? [];
    if (!old || !first || nodes.length !== 1 || old.type !== edited.type) return undefined;
    if ((token.kind === 'tag' || token.kind === 'details') && token.closeStart < 0) return undefined;
    if (token.tag?.name === 'code') return undefined;
    const content = contentOf(edited);
    if (content.length === 0) return undefined;
    const head = this.#head(token, first, old, edited, (block) => frame.write(block, index), frame);
    if (head === undefined) return undefined;
    const stop = innerEnd(token, end);
    const inner = this.#frameIn(token, old, edited, frame);
    const middle = this.#blocks(token.children ?? [], stop, content, inner);
    const numbered = token.kind === 'list' ? withStart(middle, edited) : middle;
    const text = head + numbered + this.#body.slice(stop, end);
    // The blank lines behind a list stood behind its last item, which may be gone.
    const trail = this.#body.slice(token.end, end);
    return text.endsWith(trail) ? text : text.trimEnd() + trail;
  }

  /** What stands before the first block of a container. Undefined: it has no place for what it must say now. */
  #head(
    token: Token,
    first: Token,
    old: BlockNode,
    edited: BlockNode,
    write: (block: BlockNode) => string,
    { prefix }: Frame,
  ): string | undefined {
    if (token.kind === 'list' || sameShell(old, edited)) return this.#body.slice(token.cut, first.cut);
    const [before, after] = this.#writtenAnew(() => [shellOf(old, write), shellOf(edited, write)]);
    if (!before || !after) return undefined;
    const merge = (ancestor: string, own: string, written: string): string => {
      const lines = (text: string): string => indented(text, prefix, this.#lineEnd);
      return mergeText({ ancestor: lines(ancestor), source: own, written: lines(written) });
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
    return { ...place, shift: 0, write: (block) => this.#writer.block(block) };
  }

  #frameIn(token: Token, old: BlockNode, container: BlockNode, outer: Frame): Frame {
    const frame = this.#frame({ prefix: prefixIn(token, outer.prefix), tight: token.kind === 'list' });
    if (token.kind !== 'list') return frame;
    return {
      ...frame,
      shift: startOf(container) - startOf(old),
      write: (block, index) => this.#item(token, container, block, index),
    };
  }

  /** One item, with the marker that the list has in the source. */
  #item(token: Token, list: BlockNode, item: BlockNode, index: number): string {
    const start = startOf(list) + index;
    const data = list.type === 'list-ordered' ? { start } : undefined;
    const alone: BlockNode = { object: 'block', type: list.type, nodes: [item], ...(data ? { data } : {}) };
    const text = this.#spelled(item, list.type) ?? this.#writer.block(alone);
    return token.name[0] === '1'
      ? text.replace(/^(\s*)\d+[.)]/, `$1${start}${token.name[1] ?? '.'}`)
      : text.replace(/^(\s*)[-+*]/, `$1${token.name}`);
  }
}

function startOf(list: BlockNode): number {
  const start = Number(list.data?.['start'] ?? 1);
  return Number.isInteger(start) && start >= 0 ? start : 1;
}

const NUMBER = /^([ \t>]*)(\d{1,9})(?=[.)])/;

/** An item, or a list, with its number changed as the start of the list was. */
const shifted = (text: string, { shift }: Frame): string =>
  shift === 0
    ? text
    : text.replace(NUMBER, (_all, lead: string, at: string) => `${lead}${Math.max(0, Number(at) + shift)}`);

/** The first number of a list says where it starts, whatever item it was before. */
const withStart = (items: string, list: BlockNode): string =>
  list.type === 'list-ordered' ? items.replace(NUMBER, `$1${startOf(list)}`) : items;
