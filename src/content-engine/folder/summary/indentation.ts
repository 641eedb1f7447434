import { MAX_DEPTH } from '../../tree/index.ts';
import type { SummaryItem } from './parse-summary.ts';

interface Level {
  readonly indent: number;
  /** Depth of the page that is the parent of deeper entries. */
  readonly depth: number;
}

/** The depth that an indentation denotes, after the entries of SUMMARY.md so far. */
export class Indentation {
  /** Depth of the current group: 1, or 0 outside of groups. */
  base = 0;
  #levels: readonly Level[] = [];

  /** The depth of an entry with this indentation. */
  depthAt(indent: number): number {
    return (this.#levels.findLast((level) => level.indent < indent)?.depth ?? this.base) + 1;
  }

  /**
   * The indentation for an entry at this depth: that of its siblings, or one more than its parent's. Undefined: none.
   */
  indentFor(depth: number, unit: number): number | undefined {
    if (depth === this.base + 1) return this.#levels[0]?.indent ?? 0;
    const parent = this.#levels.findIndex((level) => level.depth === depth - 1);
    if (parent < 0) return undefined;
    return this.#levels[parent + 1]?.indent ?? (this.#levels[parent]?.indent ?? 0) + unit;
  }

  /** Advances past an entry, and returns its depth. `listed`: the page of the entry, if it is one. */
  advance(item: SummaryItem, listed: { readonly type: string } | string | undefined): number {
    if (item.kind === 'group' || item.kind === 'divider') {
      this.#levels = [];
      this.base = item.kind === 'group' ? 1 : 0;
      return 1;
    }
    const depth = this.depthAt(item.indent);
    // Deeper entries below an entry that cannot have child pages belong to its parent.
    const hasChildren = typeof listed === 'object' && listed.type === 'document' && depth < MAX_DEPTH;
    const outer = this.#levels.filter((level) => level.indent < item.indent);
    this.#levels = [...outer, { indent: item.indent, depth: hasChildren ? depth : depth - 1 }];
    return depth;
  }

  copy(): Indentation {
    const copy = new Indentation();
    copy.base = this.base;
    copy.#levels = this.#levels;
    return copy;
  }
}
