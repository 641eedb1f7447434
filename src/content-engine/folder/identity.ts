import { addToList } from '../add-to-list.ts';
import { eachInSteps } from '../in-steps.ts';
import { canonicalText, isSame } from '../map/index.ts';
import {
  findPage,
  walkPages,
  type ContentRecord,
  type DocumentPage,
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord,
  type Tree,
} from '../tree/index.ts';
import { withReadmePage } from './readme-page.ts';
import { exportPathsInSteps } from './export-paths.ts';

/** An entry with a source file. */
export type Sourced = DocumentPage | ReusableContentRecord | FileRecord;
type Content =
  | Pick<DocumentPage | ReusableContentRecord, 'kind' | 'document' | 'source'>
  | Pick<FileRecord, 'kind' | 'hash'>;

/** Assigns entries the ids of the previous import. */
export interface Identity {
  /** By path; else by content, if the previous file with that content is gone: the file was renamed. */
  ofFile(path: string, content: Content): string;
  /** For pages without a file: by the first of these names that a previous page has. */
  ofPage(parent: string | undefined, type: PageRecord['type'], names: readonly string[]): string;
  /** The previous slug of a page whose name is unchanged: a new page cannot take it. */
  slugOf(id: string, wanted: string, path?: string): string | undefined;
}

export function* identify(
  previous: Tree | undefined,
  paths: ReadonlySet<string>,
  newId: () => string,
): Generator<void, Identity, void> {
  if (previous === undefined) return { ofFile: newId, ofPage: newId, slugOf: () => undefined };
  const byPath = new Map<string, Sourced>();
  const removed = new Map<string, string[]>();
  yield* eachInSteps(yield* exportPathsInSteps(withReadmePage(previous)), ([id, path]) => {
    const record = previous.records.get(id) as Sourced;
    if (paths.has(path)) byPath.set(path, record);
    else addToList(removed, contentKey(record), id);
  });
  const named = new Map<string, string[]>();
  yield* eachInSteps(walkPages(previous), ({ page, parent }) => {
    const names =
      page.type === 'document' ? [] : page.type === 'group' ? [page.slug, page.title] : [page.title];
    for (const name of new Set(names)) addToList(named, nameKey(parent, page.type, name), page.id);
  });
  const used = new Set<string>();
  return {
    ofFile(path, content) {
      const previousEntry = byPath.get(path);
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

/** Whether a slug is the wanted one, or the wanted one with a number that made it unique. */
export const isNumbered = (slug: string, wanted: string): boolean =>
  slug === wanted || (slug.startsWith(`${wanted}-`) && /^\d+$/.test(slug.slice(wanted.length + 1)));

const nameKey = (parent: string | undefined, type: PageRecord['type'], name: string): string =>
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

/** Members of a page that a folder cannot express. */
const NOT_IN_FOLDER = {
  document: [],
  group: ['emoji', 'icon', 'hidden', 'condition', 'noIndex', 'noRobotsIndex'],
  link: ['emoji', 'icon', 'hidden', 'condition'],
  computed: ['emoji', 'icon', 'hidden', 'condition'],
} as const;

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
  const names = new Set<string>(['createdAt', 'updatedAt', ...NOT_IN_FOLDER[record.type]]);
  const preserved = Object.fromEntries(Object.entries(before).filter(([name]) => names.has(name)));
  const page = { ...record, ...preserved };
  return isSame(before, page) ? before : { ...page, updatedAt: now };
}
