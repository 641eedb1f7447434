import { fingerprint, isEmpty, type BlockNode } from '../../document/index.ts';
import { contentOf, holdsBlocks } from './container-wrapper.ts';

/** The level at which a block is written from its node alone, not from its source. */
const MAX_LEVEL = 2;

/**
 * How much of the source each edited block may keep. A block that is not read back as its node gets a higher level, and is
 * written more plainly in the next round.
 */
export class RewriteLevels {
  readonly #levels = new Map<BlockNode, number>();
  readonly #originals = new Map<BlockNode, BlockNode>();

  of(block: BlockNode): number {
    return this.#levels.get(block) ?? 0;
  }

  /** Levels of a block that replaces another one count for the original. */
  replaces(block: BlockNode, original: BlockNode): void {
    if (block !== original) this.#originals.set(block, original);
  }

  /**
   * Raises the levels of the innermost blocks that were not read back as expected. False: none of them can be raised any
   * further.
   */
  raise(expected: readonly BlockNode[], actual: readonly BlockNode[]): boolean {
    const [wanted, found] = [nonEmpty(expected), nonEmpty(actual)];
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
    // An additional block came from one of its neighbours.
    const from = start === end ? Math.max(0, start - 1) : start;
    for (const block of wanted.slice(from, start === end ? end + 1 : end)) {
      if (this.#raiseOne(block)) raised = true;
    }
    return raised;
  }

  #inside(expected: BlockNode, actual: BlockNode): boolean {
    const isDeeper = holdsBlocks(expected) && expected.type === actual.type;
    return (isDeeper && this.raise(contentOf(expected), contentOf(actual))) || this.#raiseOne(expected);
  }

  #raiseOne(expected: BlockNode): boolean {
    const block = this.#originals.get(expected) ?? expected;
    const level = this.of(block);
    this.#levels.set(block, Math.min(MAX_LEVEL, level + 1));
    return level < MAX_LEVEL;
  }
}

const nonEmpty = (blocks: readonly BlockNode[]): BlockNode[] => blocks.filter((block) => !isEmpty(block));
