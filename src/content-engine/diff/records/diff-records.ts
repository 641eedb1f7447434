import { isSame, type Difference } from '../../map/index.ts';
import {
  FIELDS_OF,
  findPage,
  fullLayout,
  isPage,
  memberOf,
  parentOf,
  pathOf,
  type ContentRecord,
  type FileRecord,
  type PageRecord,
  type PageType,
  type ReusableContentRecord,
  type Tree,
  type Variables,
  type VariableValue,
} from '../../tree/index.ts';
import { findMovedPages } from './moved-pages.ts';
import { treeDifferences } from './tree-differences.ts';

export interface ChangedPage {
  readonly id: string;
  readonly type: PageType;
  readonly title: string;
  readonly path?: string;
}

export interface BeforeAfter<T = unknown> {
  readonly before?: T;
  readonly after?: T;
}

export type Attributes = Readonly<Record<string, BeforeAfter>>;

/**
 * A change in the terms of the API (facts 3.4). The presenter turns hashes of documents and file records into URLs.
 */
export type SemanticChange =
  | { readonly type: 'page_created' | 'page_deleted'; readonly page: ChangedPage }
  | { readonly type: 'page_edited'; readonly page: ChangedPage; readonly attributes: Attributes }
  | { readonly type: 'page_moved'; readonly page: ChangedPage; readonly parent: BeforeAfter<ChangedPage> }
  | { readonly type: 'file_created' | 'file_deleted'; readonly file: FileRecord }
  | { readonly type: 'file_edited'; readonly file: FileRecord; readonly attributes: Attributes }
  | {
      readonly type: 'variables_edited';
      readonly variables: Readonly<Record<string, BeforeAfter<VariableValue>>>;
    }
  | {
      readonly type: 'reusable_content_created' | 'reusable_content_deleted';
      readonly reusableContent: ReusableContentRecord;
    }
  | {
      readonly type: 'reusable_content_edited';
      readonly reusableContent: ReusableContentRecord;
      readonly attributes: Attributes;
    };

const CONTENT: Readonly<Record<PageType, readonly string[]>> = {
  document: ['document'],
  group: [],
  link: ['target'],
  computed: ['computed'],
};
const FILE_ATTRIBUTES = ['name', 'contentType', 'size', 'dimensions', 'hash'];
const REUSABLE_CONTENT_ATTRIBUTES = ['title', 'document'];

/**
 * The changes between two revisions: pages by path, then files, variables and reusable contents. `differences` are
 * those of the two maps, if the caller has them already.
 */
export function diffRecords(
  before: Tree,
  after: Tree,
  differences: readonly Difference<ContentRecord>[] = treeDifferences(before, after),
): SemanticChange[] {
  const moved = findMovedPages(before, after, differences);
  const pages: PageChange[] = [];
  const files: SemanticChange[] = [];
  const variables: SemanticChange[] = [];
  const reusableContents: SemanticChange[] = [];
  for (const difference of differences) {
    pages.push(...pageChanges(before, after, difference, moved));
    files.push(...fileChanges(difference));
    variables.push(...variableChanges(difference));
    reusableContents.push(...reusableContentChanges(difference));
  }
  pages.sort((a, b) => compareText(pathIn(a), pathIn(b)));
  return [...pages, ...files, ...variables, ...reusableContents];
}

type PageChange = Extract<SemanticChange, { readonly page: ChangedPage }>;

const pathIn = ({ page }: PageChange): string => page.path ?? page.title;
const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function pageChanges(
  before: Tree,
  after: Tree,
  difference: Difference<ContentRecord>,
  moved: ReadonlySet<string>,
): PageChange[] {
  const old = isPage(difference.before) ? difference.before : undefined;
  const now = isPage(difference.after) ? difference.after : undefined;
  if (old === undefined || now === undefined || old.type !== now.type) {
    return [
      ...(old === undefined ? [] : [{ type: 'page_deleted' as const, page: changedPage(before, old) }]),
      ...(now === undefined ? [] : [{ type: 'page_created' as const, page: changedPage(after, now) }]),
    ];
  }
  const changes: PageChange[] = [];
  const page = changedPage(after, now);
  const shownNow = shown(now);
  const attributes = compareMembers(Object.keys(shownNow), shown(old), shownNow);
  if (attributes !== undefined) changes.push({ type: 'page_edited', page, attributes });
  if (moved.has(now.id)) changes.push({ type: 'page_moved', page, parent: parents(before, after, now.id) });
  return changes;
}

/** The values of the attributes of a page by the names of the API. */
function shown(page: PageRecord): object {
  const shownPage = page.type === 'document' ? { ...page, layout: fullLayout(page.layout) } : page;
  const members = new Map<string, unknown>(Object.entries(shownPage));
  return Object.fromEntries([
    ...FIELDS_OF[page.type].map((field) => [field, members.get(memberOf(field))]),
    ...CONTENT[page.type].map((name) => [name, members.get(name)]),
  ]);
}

function changedPage(tree: Tree, { id, type, title }: PageRecord): ChangedPage {
  const path = pathOf(tree, id);
  return { id, type, title, ...(path === undefined ? {} : { path }) };
}

function parents(before: Tree, after: Tree, id: string): BeforeAfter<ChangedPage> {
  const parentIn = (tree: Tree) => {
    const parent = parentOf(tree, id);
    const page = parent === undefined ? undefined : findPage(tree, parent);
    return page && changedPage(tree, page);
  };
  return beforeAfter(parentIn(before), parentIn(after));
}

function fileChanges({ before, after }: Difference<ContentRecord>): SemanticChange[] {
  const [old, now] = [listedFile(before), listedFile(after)];
  if (old === undefined) return now === undefined ? [] : [{ type: 'file_created', file: now }];
  if (now === undefined) return [{ type: 'file_deleted', file: old }];
  const attributes = compareMembers(FILE_ATTRIBUTES, old, now);
  return attributes === undefined ? [] : [{ type: 'file_edited', file: now, attributes }];
}

const listedFile = (record: ContentRecord | undefined): FileRecord | undefined =>
  record?.kind === 'file' && record.unlisted !== true ? record : undefined;

function variableChanges({ before, after }: Difference<ContentRecord>): SemanticChange[] {
  if (before?.kind !== 'variables' && after?.kind !== 'variables') return [];
  const valuesOf = (record: ContentRecord | undefined): Variables =>
    record?.kind === 'variables' ? record.values : {};
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted();
  const variables = compareMembers(names, old, now) as Record<string, BeforeAfter<VariableValue>> | undefined;
  return variables === undefined ? [] : [{ type: 'variables_edited', variables }];
}

function reusableContentChanges({ before, after }: Difference<ContentRecord>): SemanticChange[] {
  const old = before?.kind === 'reusable-content' ? before : undefined;
  const now = after?.kind === 'reusable-content' ? after : undefined;
  if (old === undefined)
    return now === undefined ? [] : [{ type: 'reusable_content_created', reusableContent: now }];
  if (now === undefined) return [{ type: 'reusable_content_deleted', reusableContent: old }];
  const attributes = compareMembers(REUSABLE_CONTENT_ATTRIBUTES, old, now);
  return attributes === undefined
    ? []
    : [{ type: 'reusable_content_edited', reusableContent: now, attributes }];
}

/** The members that differ. Undefined: none differs. Own members only: a variable may have any name. */
function compareMembers(names: readonly string[], old: object, now: object): Attributes | undefined {
  const [a, b] = [new Map(Object.entries(old)), new Map(Object.entries(now))];
  const entries = names
    .map((name) => [name, a.get(name), b.get(name)] as const)
    .filter(([, before, after]) => !isSame(before ?? null, after ?? null))
    .map(([name, before, after]) => [name, beforeAfter(before, after)] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const beforeAfter = <T>(before: T | undefined, after: T | undefined): BeforeAfter<T> => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
