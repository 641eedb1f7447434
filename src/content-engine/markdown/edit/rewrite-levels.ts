import { fingerprint, isEmpty, type BlockNode } from '../../document/index.ts';
import { contentOf, holdsBlocks } from './shell.ts';

/** After so many doubts a block is written anew, whatever its source was. */
const MOST = 2;

/** Blocks that were not read back as they were meant: each is spelled more plainly the next time. */
export class Doubts {
  readonly #counts = new Map<BlockNode, number>();
  readonly #originals = new Map<BlockNode, BlockNode>();

  of(block: BlockNode): number {
    return this.#counts.get(block) ?? 0;
  }

  /** What is doubted of the one is doubted of the other, which it is looked for in the place of. */
  standsFor(block: BlockNode, original: BlockNode): void {
    if (block !== original) this.#originals.set(block, original);
  }

  /** Compares what was meant with what was read, as deep as it can be told. False: there is nothing left to doubt. */
  raise(meant: readonly BlockNode[], read: readonly BlockNode[]): boolean {
    const [wanted, found] = [filled(meant), filled(read)];
    const [one, other] = [wanted.map(fingerprint), found.map(fingerprint)];
    let start = 0;
    while (start < one.length && start < other.length && one[start] === other[start]) start++;
    let [end, stop] = [one.length, other.length];
    while (end > start && stop > start && one[end - 1] === other[stop - 1]) [end, stop] = [end - 1, stop - 1];
    let raised = false;
    if (end - start === stop - start) {
      for (let at = start; at < end; at++) {
        if (one[at] === other[at]) continue;
        if (this.#inside(wanted[at] as BlockNode, found[at] as BlockNode)) raised = true;
      }
      return raised;
    }
    // What came besides came from one of the two that it stands between.
    const from = start === end ? Math.max(0, start - 1) : start;
    for (const block of wanted.slice(from, start === end ? end + 1 : end)) {
      if (this.#doubt(block)) raised = true;
    }
    return raised;
  }

  #inside(meant: BlockNode, read: BlockNode): boolean {
    const isDeeper = holdsBlocks(meant) && meant.type === read.type;
    return (isDeeper && this.raise(contentOf(meant), contentOf(read))) || this.#doubt(meant);
  }

  #doubt(meant: BlockNode): boolean {
    const block = this.#originals.get(meant) ?? meant;
    const count = this.of(block);
    this.#counts.set(block, Math.min(MOST, count + 1));
    return count < MOST;
  }
}

const filled = (blocks: readonly BlockNode[]): BlockNode[] => blocks.filter((block) => !isEmpty(block));
