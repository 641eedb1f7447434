import type { Parsed } from './analyse.ts';
import { emptyBlock } from './canonical-blocks.ts';
import { fingerprint } from './canonical.ts';
import { pairUp } from './diff.ts';
import { blocksOf, type BlockNode } from './document.ts';
import { innerEnd } from './ranges.ts';
import type { Token } from './scan/token.ts';
import type { Writer } from './write/writer.ts';

export interface Style {
  /** Look for the change inside containers, instead of rewriting the container. */
  readonly nested: boolean;
  /** A blank line around everything that is rewritten. */
  readonly spaced: boolean;
}

/** Where blocks stand: what their lines begin with, and how one of them is written. */
interface Frame {
  readonly prefix: string;
  readonly tight: boolean;
  readonly write: (block: BlockNode, index: number) => string;
}

/** A block of the source, with the bytes up to the next one. */
interface Unit {
  readonly token: Token;
  readonly end: number;
  readonly nodes: readonly BlockNode[];
}

/** Puts a body together again: source bytes for blocks that stayed, written ones for those that did not. */
export class Merger {
  readonly #body: string;
  readonly #tokens: readonly Token[];
  readonly #writer: Writer;
  readonly #style: Style;
  readonly #lineEnd: string;

  constructor(parsed: Parsed, writer: Writer, style: Style) {
    this.#body = parsed.body;
    this.#tokens = parsed.tokens;
    this.#writer = writer;
    this.#style = style;
    this.#lineEnd = parsed.body.includes('\r\n') ? '\r\n' : '\n';
  }

  merge(nodes: readonly BlockNode[]): string {
    const lead = this.#body.slice(0, this.#tokens[0]?.cut ?? this.#body.length);
    const frame: Frame = { prefix: '', tight: false, write: (block) => this.#writer.block(block) };
    return lead + this.#blocks(this.#tokens, this.#body.length, nodes, frame);
  }

  #blocks(tokens: readonly Token[], end: number, edited: readonly BlockNode[], frame: Frame): string {
    const units = tokens.map((token, index) => ({
      token,
      end: tokens[index + 1]?.cut ?? end,
      nodes: token.nodes.filter((node) => !emptyBlock(node)),
    }));
    const nodes = edited.filter((node) => !emptyBlock(node));
    const kept = keptUnits(units, nodes);
    const out = new Output(this.#lineEnd, frame, this.#style.spaced);
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
      out.source(this.#body.slice(unit.token.cut, unit.end));
    }
    this.#gap(out, gap, nodes.slice(done), done, frame);
    return out.text;
  }

  /** Blocks that changed between two that stayed: old ones in the place of which a new one stands keep what is around. */
  #gap(out: Output, units: readonly Unit[], nodes: readonly BlockNode[], offset: number, frame: Frame): void {
    const old = units.filter((unit) => unit.nodes.length > 0);
    const sameCount = old.length === nodes.length;
    const pairs = sameCount
      ? old.map((_unit, index): [number, number] => [index, index])
      : pairUp(
          old.map((unit) => unit.nodes[0]?.type ?? ''),
          nodes.map((node) => node.type),
        );
    const partner = new Map(pairs.map(([unit, node]) => [old[unit], node]));
    let done = 0;
    for (const unit of units) {
      if (unit.nodes.length === 0) {
        out.source(this.#body.slice(unit.token.cut, unit.end));
        continue;
      }
      const at = partner.get(unit);
      if (at === undefined) continue;
      for (; done < at; done++) out.insert(frame.write(nodes[done] as BlockNode, offset + done));
      this.#replace(out, unit, nodes[at] as BlockNode, offset + at, frame);
      done = at + 1;
    }
    for (; done < nodes.length; done++) out.insert(frame.write(nodes[done] as BlockNode, offset + done));
  }

  #replace(out: Output, unit: Unit, node: BlockNode, index: number, frame: Frame): void {
    const inside = this.#style.nested ? this.#inside(unit, node, frame) : undefined;
    if (inside !== undefined) {
      out.source(inside);
      return;
    }
    const { token, end } = unit;
    out.replace(
      this.#body.slice(token.cut, token.start),
      frame.write(node, index),
      this.#body.slice(token.end, end),
    );
  }

  /** The container with its own lines as they were, when only what it holds has changed. */
  #inside({ token, end, nodes }: Unit, edited: BlockNode, frame: Frame): string | undefined {
    const [old] = nodes;
    const [first] = token.children ?? [];
    if (!old || !first || nodes.length !== 1 || !sameShell(old, edited)) return undefined;
    if ((token.kind === 'tag' || token.kind === 'details') && token.closeStart < 0) return undefined;
    if (token.tag?.name === 'code') return undefined;
    const content = contentOf(edited);
    if (content.length === 0) return undefined;
    const stop = innerEnd(token, end);
    const middle = this.#blocks(token.children ?? [], stop, content, this.#frameIn(token, edited, frame));
    return this.#body.slice(token.cut, first.cut) + middle + this.#body.slice(stop, end);
  }

  #frameIn(token: Token, container: BlockNode, outer: Frame): Frame {
    const write = (block: BlockNode): string => this.#writer.block(block);
    switch (token.kind) {
      case 'item':
        return { prefix: outer.prefix + ' '.repeat(token.pad), tight: false, write };
      case 'quote':
        return { prefix: `${outer.prefix}> `, tight: false, write };
      case 'list':
        return { ...outer, tight: true, write: (block, index) => this.#item(token, container, block, index) };
      default:
        return { ...outer, tight: false, write };
    }
  }

  /** One item, with the marker that the list has in the source. */
  #item(token: Token, list: BlockNode, item: BlockNode, index: number): string {
    const start = Number(list.data?.['start'] ?? 1) + index;
    const data = list.type === 'list-ordered' ? { start } : undefined;
    const alone: BlockNode = { object: 'block', type: list.type, nodes: [item], ...(data ? { data } : {}) };
    const text = this.#writer.block(alone);
    return token.name[0] === '1'
      ? text.replace(/^(\d+)\./, `$1${token.name[1] ?? '.'}`)
      : text.replace(/^\*/, token.name);
  }
}

/** Source units all of whose nodes are in the edited document, one behind the other: unit -> index of the first. */
function keptUnits(units: readonly Unit[], nodes: readonly BlockNode[]): Map<number, number> {
  const old = units.flatMap((unit, index) => unit.nodes.map((node) => ({ index, text: fingerprint(node) })));
  const pairs = new Map(
    pairUp(
      old.map(({ text }) => text),
      nodes.map(fingerprint),
    ),
  );
  const kept = new Map<number, number>();
  let at = 0;
  for (const [index, unit] of units.entries()) {
    const first = pairs.get(at);
    const whole =
      first !== undefined && unit.nodes.every((_node, offset) => pairs.get(at + offset) === first + offset);
    if (unit.nodes.length > 0 && whole) kept.set(index, first);
    at += unit.nodes.length;
  }
  return kept;
}

const FRAGMENT_BODY = 'expandable-body';

const contentOf = (block: BlockNode): BlockNode[] =>
  block.type === 'expandable'
    ? (block.fragments?.find((one) => one.fragment === FRAGMENT_BODY || one.type === FRAGMENT_BODY)?.nodes ??
      [])
    : blocksOf(block);

/** Whether two containers differ at most in what they hold. */
function sameShell(one: BlockNode, other: BlockNode): boolean {
  if (one.type !== other.type) return false;
  const shell = (block: BlockNode): string =>
    fingerprint(
      block.type === 'expandable'
        ? {
            ...block,
            fragments: (block.fragments ?? []).filter(
              (part) => part.fragment !== FRAGMENT_BODY && part.type !== FRAGMENT_BODY,
            ),
          }
        : { ...block, nodes: [] },
    );
  return shell(one) === shell(other);
}

/** The blank lines at the end of a text, without the end of the line before them. */
function blankEndOf(text: string): string {
  const filled = /[^ \t>\r\n][ \t>]*(?:\r\n|\n|\r)?/g;
  let end = text.length;
  while (end > 0 && ' \t>\r\n'.includes(text[end - 1] as string)) end--;
  filled.lastIndex = Math.max(0, end - 1);
  return filled.test(text) ? text.slice(filled.lastIndex) : '';
}

const ENDS_BLANK = /(?:^|[\n\r])[ \t>]*(?:\r\n|\n|\r)$/;

/** Collects pieces, and sees to it that written blocks do not run into their neighbours. */
class Output {
  readonly #pieces: string[] = [];
  readonly #lineEnd: string;
  readonly #frame: Frame;
  readonly #spaced: boolean;
  #afterWritten = false;
  /** What was written last has no blank line behind it yet, and needs one. */
  #pending = false;

  constructor(lineEnd: string, frame: Frame, spaced: boolean) {
    this.#lineEnd = lineEnd;
    this.#frame = frame;
    this.#spaced = spaced;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  source(bytes: string): void {
    if (this.#afterWritten) this.#separate(this.#spaced);
    this.#push(bytes);
    this.#afterWritten = false;
  }

  insert(written: string): void {
    if (written === '') return;
    // Blank lines behind a list end it: a new item stands before them.
    const last = this.#pieces.at(-1) ?? '';
    const blank = this.#frame.tight ? blankEndOf(last) : '';
    if (blank !== '') this.#pieces[this.#pieces.length - 1] = last.slice(0, last.length - blank.length);
    this.#separate(true);
    const first = this.#pieces.length === 0 && !this.#frame.tight;
    this.#push((first ? '' : this.#frame.prefix) + this.#indented(written) + this.#lineEnd + blank);
    this.#afterWritten = true;
    this.#pending = true;
  }

  replace(lead: string, written: string, trail: string): void {
    if (this.#afterWritten) this.#separate(this.#spaced || this.#pending);
    if (written === '') return;
    this.#push(lead + this.#indented(written) + trail);
    this.#afterWritten = true;
    this.#pending = false;
  }

  #push(text: string): void {
    if (text !== '') this.#pieces.push(text);
  }

  #indented(written: string): string {
    const { prefix } = this.#frame;
    return written
      .replace(/\n(?=\n)/g, `${this.#lineEnd}${prefix.trimEnd()}`)
      .replace(/(?<!\r)\n/g, `${this.#lineEnd}${prefix}`);
  }

  /** Ends the line, and leaves one blank unless the frame is a list. */
  #separate(blank: boolean): void {
    if (this.#pieces.length === 0) return;
    if (!/[\n\r]$/.test(this.#pieces.at(-1) ?? '')) this.#push(this.#lineEnd);
    const wanted = (blank || this.#pending) && !this.#frame.tight;
    this.#pending = false;
    const end = this.#pieces.slice(-2).join('');
    if (wanted && !ENDS_BLANK.test(end)) this.#push(this.#frame.prefix.trimEnd() + this.#lineEnd);
  }
}
