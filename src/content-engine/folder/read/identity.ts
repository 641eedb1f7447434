import { addToList } from '../../add-to-list.ts';
import { canonicalText, isSame } from '../../map/index.ts';
import {
  expandedPages,
  FIELDS_OF,
  findPage,
  memberOf,
  PAGE_FIELDS,
  pathsIn,
  walkPages,
  withoutExpansions,
  type ContentRecord,
  type DocumentPage,
  type FileRecord,
  type PageType,
  type ReusableContentRecord,
  type Tree,
} from '../../tree/index.ts';
import type { ReadFolderOptions } from './import-context.ts';
import { withReadmePage } from '../write/readme-page.ts';
import { exportPaths } from '../write/export-paths.ts';

/** An entry with a source file. */
export type Sourced = DocumentPage | ReusableContentRecord | FileRecord;
type Content =
  | Pick<DocumentPage | ReusableContentRecord, 'kind' | 'document' | 'source'>
  | Pick<FileRecord, 'kind' | 'hash'>;

/** Assigns entries the ids of the previous import. */
export interface Identity {
  /** The id of a file by its path, or by the path that it was moved from; else by content, if the previous file with that content is gone. */
  ofFile(path: string, content: Content): string;
  /** For pages without a file: by the first of these names that a previous page has. */
  ofPage(parent: string | undefined, type: PageType, names: readonly string[]): string;
  /** The previous slug of a page whose name is unchanged: a new page cannot take it. */
  slugOf(id: string, wanted: string, path?: string): string | undefined;
}

export function identify(
  { previous, moved = new Map(), newId }: Pick<ReadFolderOptions, 'previous' | 'moved' | 'newId'>,
  paths: ReadonlySet<string>,
): Identity {
  if (previous === undefined) return { ofFile: newId, ofPage: newId, slugOf: () => undefined };
  const byPath = new Map<string, Sourced>();
  const byFormerPath = new Map<string, Sourced>();
  const former = new Set(moved.values());
  const removed = new Map<string, string[]>();
  for (const [id, path] of previousPaths(previous)) {
    const record = previous.records.get(id) as Sourced;
    if (paths.has(path)) byPath.set(path, record);
    else if (former.has(path)) byFormerPath.set(path, record);
    else addToList(removed, contentKey(record), id);
  }
  const named = new Map<string, string[]>();
  for (const { page, parent } of walkPages(previous)) {
    const names =
      page.type === 'document' ? [] : page.type === 'group' ? [page.slug, page.title] : [page.title];
    for (const name of new Set(names)) addToList(named, nameKey(parent, page.type, name), page.id);
  }
  const used = new Set<string>();
  return {
    ofFile(path, content) {
      const previousEntry = byPath.get(path) ?? byFormerPath.get(moved.get(path) ?? '');
      if (previousEntry?.kind === content.kind) return previousEntry.id;
      return removed.get(contentKey(content))?.shift() ?? newId();
    },
    ofPage(parent, type, names) {
      const lists = names.map((name) => named.get(nameKey(parent, type, name)) ?? []);
      for (const list of lists) while (used.has(list[0] ?? '')) list.shift();
      const id = lists.find((list) => list.length > 0)?.[0] ?? newId();
      used.add(id);
      return id;
    },
    slugOf(id, wanted, path) {
      const page = findPage(previous, id);
      if (page?.type === 'group') return isNumbered(page.slug, wanted) ? page.slug : undefined;
      const isThere = path !== undefined && byPath.get(path)?.id === id;
      return page?.type === 'document' && isThere ? page.slug : undefined;
    },
  };
}

/** With those of generated pages, which have no file: a new file there has the text of the page. */
function* previousPaths(previous: Tree): Generator<readonly [string, string]> {
  const paths = exportPaths(withReadmePage(withoutExpansions(previous)));
  yield* paths;
  const taken = new Set(paths.values());
  const { fileOf } = pathsIn(previous);
  for (const { id } of [...expandedPages(previous).values()].flat()) {
    const path = paths.has(id) ? undefined : fileOf(id);
    if (path !== undefined && !taken.has(path)) yield [id, path];
  }
}

/** Whether a slug is the wanted one, or the wanted one with a number that made it unique. */
export const isNumbered = (slug: string, wanted: string): boolean =>
  slug === wanted || (slug.startsWith(`${wanted}-`) && /^\d+$/.test(slug.slice(wanted.length + 1)));

const nameKey = (parent: string | undefined, type: PageType, name: string): string =>
  `${parent ?? ''} ${type} ${name}`;

const contentKey = (content: Content): string =>
  content.kind === 'file'
    ? content.hash
    : canonicalText([
        content.kind,
        content.document,
        content.source?.frontmatter ?? '',
        content.source?.titleLine ?? '',
      ]);

/** Pages without a file have no frontmatter: a folder cannot express what it sets for documents. */
const membersNotInFolder = (type: PageType): readonly string[] =>
  type === 'document'
    ? []
    : FIELDS_OF[type].filter((field) => field !== 'title' && PAGE_FIELDS[field].frontmatter).map(memberOf);

/** Adds the members that only the previous record has. Returns the previous record itself if nothing changed. */
export function withPreviousMembers(
  previous: Tree | undefined,
  record: ContentRecord,
  now: number,
): ContentRecord {
  const before = previous?.records.get(record.id);
  if (record.kind !== 'page') return before !== undefined && isSame(before, record) ? before : record;
  if (before?.kind !== 'page' || before.type !== record.type)
    return { ...record, createdAt: now, updatedAt: now };
  const names = new Set<string>([
    'createdAt',
    'updatedAt',
    'generated',
    'expanded',
    ...membersNotInFolder(record.type),
  ]);
  const preserved = Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)));
  const page = { ...record, ...preserved };
  return isSame(before, page) ? before : { ...page, updatedAt: now };
}
