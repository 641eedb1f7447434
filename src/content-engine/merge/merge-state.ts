import { isSame, type Difference } from '../map/index.ts';
import type { ContentRecord, Tree } from '../tree/index.ts';
import type { Conflict } from './conflicts/conflict.ts';
import { presentVersions } from './versions.ts';

/** The state of a merge: the primary content, the changes to it, and the conflicts so far. */
export class MergeState {
  readonly primary: Tree;
  readonly changed = new Map<string, ContentRecord | null>();
  readonly conflicts: Conflict[] = [];
  /** Documents that still need a file name. */
  readonly unnamed = new Set<string>();
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
    const isUnchanged =
      record === null ? before === undefined : before !== undefined && isSame(before, record);
    if (isUnchanged) this.changed.delete(id);
    else this.changed.set(id, record);
  }

  /** Retains an entry that one side deleted, and reports the conflict. */
  retain(id: string, record: ContentRecord): void {
    this.set(id, record);
    const primary = this.primary.records.get(id);
    const ancestor = this.ancestor(id) ?? record;
    this.report({
      kind: 'delete',
      entry: id,
      ...presentVersions({ ancestor, primary, proposed: this.proposed(id, record) }),
    });
  }

  /** Undefined also for entries that the proposed side did not change. */
  ancestor(id: string): ContentRecord | undefined {
    return this.#differences.get(id)?.before;
  }

  proposed(id: string, unchanged: ContentRecord | undefined): ContentRecord | undefined {
    const difference = this.#differences.get(id);
    return difference === undefined ? unchanged : difference.after;
  }

  /** Whether one side has the entry and the other did not delete it. */
  exists(id: string): boolean {
    return this.proposed(id, this.primary.records.get(id)) !== undefined;
  }

  /** Reports at most one conflict about the position of a page. */
  report(conflict: Conflict): void {
    if (conflict.kind === 'position') {
      if (this.#misplaced.has(conflict.entry)) return;
      this.#misplaced.add(conflict.entry);
    }
    this.conflicts.push(conflict);
  }
}
