import {
  freeNumber,
  hasSlug,
  isPage,
  ROOT,
  slugKey,
  sourceOf,
  uniqueSlug,
  type ContentRecord,
  type Problem,
  type Tree,
} from '../../tree/index.ts';
import type { MergeState } from '../merge-state.ts';

/** A name that only one entry can have. */
interface UniqueName {
  readonly problem: Problem;
  readonly keyOf: (record: ContentRecord) => string | undefined;
  readonly owners: (tree: Tree) => Tree['slugs'];
  readonly renamed: (record: ContentRecord, isTaken: (key: string) => boolean) => ContentRecord;
}

const slugs: UniqueName = {
  problem: 'duplicate-slug',
  keyOf: (record) =>
    isPage(record) && hasSlug(record) ? slugKey(record.parent ?? ROOT, record.slug) : undefined,
  owners: (tree) => tree.slugs,
  renamed: (record, isTaken) => {
    if (!isPage(record) || !hasSlug(record)) return record;
    const parent = record.parent ?? ROOT;
    const isSlugTaken = (folded: string) => isTaken(slugKey(parent, folded));
    return { ...record, slug: uniqueSlug(record.slug, isSlugTaken, { isAtRoot: parent === ROOT }) };
  },
};

const files: UniqueName = {
  problem: 'duplicate-source',
  keyOf: sourceOf,
  owners: (tree) => tree.sources,
  renamed: (record, isTaken) => {
    const path = sourceOf(record);
    if (path === undefined) return record;
    const [, name = path, extension = ''] = /^(.*?)(\.[^./]*)?$/su.exec(path) ?? [];
    const numbered = (number: number) => `${name}-${number}${extension}`;
    const free = numbered(freeNumber((number) => !isTaken(numbered(number))));
    if (record.kind === 'file') return { ...record, path: free };
    return 'source' in record
      ? ({ ...record, source: { ...record.source, path: free } } as ContentRecord)
      : record;
  },
};

const UNIQUE_NAMES: readonly UniqueName[] = [slugs, files];

/**
 * Renames proposed entries whose slug or file an entry of the primary content has: a duplicate is no conflict. Done
 * before deriving the tree, because a tree with problems has to be built from all its records.
 */
export function renameDuplicates(state: MergeState): void {
  for (const uniqueName of UNIQUE_NAMES) {
    const keyOf = (record: ContentRecord | null | undefined) =>
      record ? uniqueName.keyOf(record) : undefined;
    const owners = uniqueName.owners(state.primary);
    const isOwnedByOther = (key: string, id: string) => {
      const owner = owners.get(key);
      return owner !== undefined && owner !== id && keyOf(state.get(owner)) === key;
    };
    const taken = new Set(Array.from(state.changed.values(), keyOf));
    for (const [id, record] of state.changed) {
      const key = keyOf(record);
      if (record === null || key === undefined || !isOwnedByOther(key, id)) continue;
      const renamed = uniqueName.renamed(record, (key) => taken.has(key) || isOwnedByOther(key, id));
      state.set(id, renamed);
      taken.add(keyOf(renamed));
    }
  }
}

/** Renames the duplicates that a tree reports. The entry that has the name in the primary content keeps it. */
export function renameReportedDuplicates(
  state: MergeState,
  tree: Tree,
  found: ReadonlyMap<string, readonly Problem[]>,
): void {
  for (const uniqueName of UNIQUE_NAMES) {
    const assigned = new Set<string | undefined>();
    for (const [id, problems] of found) {
      const record = problems.includes(uniqueName.problem) ? state.get(id) : undefined;
      const key = record && uniqueName.keyOf(record);
      if (key === undefined) continue;
      const isOwner = uniqueName.owners(state.primary).get(key) === id;
      const duplicate = isOwner ? state.get(uniqueName.owners(tree).get(key) ?? id) : record;
      if (duplicate === undefined) continue;
      const isTaken = (key: string) => uniqueName.owners(tree).has(key) || assigned.has(key);
      const renamed = uniqueName.renamed(duplicate, isTaken);
      assigned.add(uniqueName.keyOf(renamed));
      state.set(renamed.id, renamed);
    }
  }
}
