import {
  hasSlug,
  isPage,
  ROOT,
  slugKey,
  sourceOf,
  uniqueSlug,
  type ContentRecord,
  type Problem,
  type Tree,
} from '../tree/index.ts';
import type { Draft } from './merge-state.ts';

/** What only one entry can be called. */
interface Naming {
  readonly problem: Problem;
  readonly keyOf: (record: ContentRecord) => string | undefined;
  readonly owners: (tree: Tree) => Tree['slugs'];
  readonly renamed: (record: ContentRecord, isTaken: (key: string) => boolean) => ContentRecord;
}

const slugs: Naming = {
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

const files: Naming = {
  problem: 'duplicate-source',
  keyOf: sourceOf,
  owners: (tree) => tree.sources,
  renamed: (record, isTaken) => {
    const path = sourceOf(record);
    if (path === undefined) return record;
    const [, name = path, extension = ''] = /^(.*?)(\.[^./]*)?$/su.exec(path) ?? [];
    let number = 1;
    while (isTaken(`${name}-${number}${extension}`)) number++;
    const free = `${name}-${number}${extension}`;
    if (record.kind === 'file') return { ...record, path: free };
    return 'source' in record
      ? ({ ...record, source: { ...record.source, path: free } } as ContentRecord)
      : record;
  },
};

const NAMINGS: readonly Naming[] = [slugs, files];

/**
 * Two pages that came to have one slug are no conflict: the proposed one gets another. The same for files. Done before
 * there is a tree, because a tree with something wrong is made from all its records.
 */
export function giveNames(draft: Draft): void {
  for (const naming of NAMINGS) {
    const keyOf = (record: ContentRecord | null | undefined) => (record ? naming.keyOf(record) : undefined);
    const owners = naming.owners(draft.primary);
    const isOthers = (key: string, id: string) => {
      const owner = owners.get(key);
      return owner !== undefined && owner !== id && keyOf(draft.get(owner)) === key;
    };
    const wanted = new Set(Array.from(draft.changed.values(), keyOf));
    for (const [id, record] of draft.changed) {
      const key = keyOf(record);
      if (record === null || key === undefined || !isOthers(key, id)) continue;
      const renamed = naming.renamed(record, (key) => wanted.has(key) || isOthers(key, id));
      draft.set(id, renamed);
      wanted.add(keyOf(renamed));
    }
  }
}

/** For those that a tree found: the one that the primary has by that name keeps it. */
export function giveOtherNames(
  draft: Draft,
  tree: Tree,
  wrong: ReadonlyMap<string, readonly Problem[]>,
): void {
  for (const naming of NAMINGS) {
    const given = new Set<string | undefined>();
    for (const [id, problems] of wrong) {
      const record = problems.includes(naming.problem) ? draft.get(id) : undefined;
      const key = record && naming.keyOf(record);
      if (key === undefined) continue;
      const isKeeper = naming.owners(draft.primary).get(key) === id;
      const other = isKeeper ? draft.get(naming.owners(tree).get(key) ?? id) : record;
      if (other === undefined) continue;
      const isTaken = (key: string) => naming.owners(tree).has(key) || given.has(key);
      const renamed = naming.renamed(other, isTaken);
      given.add(naming.keyOf(renamed));
      draft.set(renamed.id, renamed);
    }
  }
}
