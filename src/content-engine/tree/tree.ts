import { normalize } from '../normalize.ts';
import type { ContentRecord, PageRecord } from './records.ts';
import { isPage } from './records.ts';
import type { SharedMap } from './build/shared-map.ts';

/** Pages at the root are 1 deep. */
export const MAX_DEPTH = 32;

/** A problem of a record. The tree contains the record nevertheless: a page with an invalid place is at the root. */
export type Problem =
  | 'parent-missing'
  | 'parent-holds-no-pages'
  | 'group-below-root'
  | 'cycle'
  | 'too-deep'
  /** An earlier sibling has the slug, and the path leads to it. */
  | 'duplicate-slug'
  /** An entry with a lower id has the same source file. */
  | 'duplicate-source';

/**
 * The content of a revision with indexes by id, place, path and file. Immutable; the tree of the next revision shares
 * its unchanged parts.
 */
export interface Tree {
  readonly records: SharedMap<ContentRecord>;
  /** Ids in order, by the id of the parent or ROOT. */
  readonly children: SharedMap<readonly string[]>;
  /** By `slugKey`. */
  readonly slugs: SharedMap<string>;
  /** By path in the source folder. */
  readonly sources: SharedMap<string>;
  /** The ids of `sources` whose path differs from its folded form, sorted, by the folded form. See `ownersOf`. */
  readonly foldedSources: SharedMap<readonly string[]>;
  /** Ids, sorted. Unlisted files are not among them. */
  readonly files: readonly string[];
  readonly reusableContents: readonly string[];
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
  /** The sum of `sizeOfRecord`. */
  readonly size: number;
}

/** The parent of pages at the root. */
export const ROOT = '';

const MISPLACED = new Set<Problem>([
  'parent-missing',
  'parent-holds-no-pages',
  'group-below-root',
  'cycle',
  'too-deep',
]);

export const isMisplaced = (tree: Pick<Tree, 'problems'>, id: string): boolean =>
  tree.problems.get(id)?.some((problem) => MISPLACED.has(problem)) ?? false;

/** Equal for slugs that differ only in case or width, and so have one URL. */
export const foldSlug = (slug: string): string => normalize(slug, 'NFKC').toLowerCase();

export const slugKey = (parent: string, slug: string): string => `${parent}/${foldSlug(slug)}`;

/** The order of siblings. */
export const compareSiblings = (a: PageRecord, b: PageRecord): number => {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
};

/** The source file of a record. */
export function sourceOf(record: ContentRecord): string | undefined {
  if (record.kind === 'file') return record.path;
  if (record.kind === 'reusable-content') return record.source?.path;
  return isPage(record) && record.type === 'document' ? record.source?.path : undefined;
}
