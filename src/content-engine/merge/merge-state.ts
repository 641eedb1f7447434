import { isSame, type Difference } from '../map/index.ts';
import type { ContentRecord, Tree } from '../tree/index.ts';
import type { Conflict } from './conflict.ts';
import { versions } from './versions.ts';

/** A merge in the making: the primary content, and what is to be otherwise. */
export class Draft {
  readonly primary: Tree;
  readonly changed = new Map<string, ContentRecord | null>();
  readonly conflicts: Conflict[] = [];
  /** Documents whose file is still to be named. */
  readonly open = new Set<string>();
  readonly #misplaced = new Set<string>();
  readonly #differences: ReadonlyMap<string, Difference<ContentRecord>>;

  constructor(primary: Tree, proposed: readonly Difference<ContentRecord>[] = []) {
    this.primary = primary;
    this.#differences = new Map(proposed.map((one) => [one.id, one]));
  }

  get(id: string): ContentRecord | undefined {
    const changed = this.changed.get(id);
    return changed === undefined ? this.primary.records.get(id) : (changed ?? undefined);
  }

  set(id: string, record: ContentRecord | null): void {
    const before = this.primary.records.get(id);
    const isBefore = record === null ? before === undefined : before !== undefined && isSame(before, record);
    if (isBefore) this.changed.delete(id);
    else this.changed.set(id, record);
  }

  /** Stays, although one side deleted it. */
  keep(id: string, record: ContentRecord): void {
    this.set(id, record);
    const primary = this.primary.records.get(id);
    const ancestor = this.ancestor(id) ?? record;
    this.report({
      kind: 'delete',
      entry: id,
      ...versions({ ancestor, primary, proposed: this.proposed(id, record) }),
    });
  }

  /** Undefined for what the proposed side did not change, too. */
  ancestor(id: string): ContentRecord | undefined {
    return this.#differences.get(id)?.before;
  }

  proposed(id: string, unchanged: ContentRecord | undefined): ContentRecord | undefined {
    const difference = this.#differences.get(id);
    return difference === undefined ? unchanged : difference.after;
  }

  /** Whether one side has it, and the other did not delete it. */
  isThere(id: string): boolean {
    return this.proposed(id, this.primary.records.get(id)) !== undefined;
  }

  /** One conflict about the place of a page is enough. */
  report(conflict: Conflict): void {
    if (conflict.kind === 'position') {
      if (this.#misplaced.has(conflict.entry)) return;
      this.#misplaced.add(conflict.entry);
    }
    this.conflicts.push(conflict);
  }
}
