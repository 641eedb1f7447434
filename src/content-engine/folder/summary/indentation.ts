import { MAX_DEPTH } from '../../tree/index.ts';
import type { SummaryItem } from './parse-summary.ts';

interface Level {
  readonly indent: number;
  /** Of the page that entries below this one stand below. */
  readonly depth: number;
}

/** Where the next entry of SUMMARY.md stands: what indentation means behind the entries so far. */
export class Levels {
  /** Depth of the group that entries belong to. */
  base = 0;
  #above: readonly Level[] = [];

  /** The depth of an entry with this indentation. */
  depthAt(indent: number): number {
    return (this.#above.findLast((level) => level.indent < indent)?.depth ?? this.base) + 1;
  }

  /**
   * The indentation of an entry that is to stand so deep: that of its siblings, or else a little more than its parent's.
   * Undefined: none can make it so here.
   */
  indentFor(depth: number, unit: number): number | undefined {
    if (depth === this.base + 1) return this.#above[0]?.indent ?? 0;
    const parent = this.#above.findIndex((level) => level.depth === depth - 1);
    if (parent < 0) return undefined;
    return this.#above[parent + 1]?.indent ?? (this.#above[parent]?.indent ?? 0) + unit;
  }

  /** Goes on behind an entry that says this, or nothing; its depth. */
  pass(item: SummaryItem, said: { readonly type: string } | string | undefined): number {
    if (item.kind === 'group' || item.kind === 'divider') {
      this.#above = [];
      this.base = item.kind === 'group' ? 1 : 0;
      return 1;
    }
    const depth = this.depthAt(item.indent);
    // What cannot hold pages leaves those below it to the page above.
    const holds = typeof said === 'object' && said.type === 'document' && depth < MAX_DEPTH;
    const above = this.#above.filter((level) => level.indent < item.indent);
    this.#above = [...above, { indent: item.indent, depth: holds ? depth : depth - 1 }];
    return depth;
  }

  copy(): Levels {
    const copy = new Levels();
    copy.base = this.base;
    copy.#above = this.#above;
    return copy;
  }
}
