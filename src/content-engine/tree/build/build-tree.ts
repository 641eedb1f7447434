import { addToList } from '../../add-to-list.ts';
import { foldPath } from '../names/portable-path.ts';
import { sizeOfRecord } from './record-size.ts';
import { resolveParents } from './resolve-parents.ts';
import { hasSlug, isPage, type ContentRecord, type PageRecord } from '../records.ts';
import { SharedMap } from './shared-map.ts';
import { compareSiblings, slugKey, sourceOf, type Problem, type Tree } from '../tree.ts';

/** Builds a valid tree from any records. The result does not depend on their order. */
export function buildTree(records: Iterable<ContentRecord>): Tree {
  const byId = new Map<string, ContentRecord>();
  for (const record of Array.from(records).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    byId.set(record.id, record);
  const problems = new Map<string, Problem[]>();
  const report = (id: string, problem: Problem) => addToList(problems, id, problem);
  const pages = new Map<string, PageRecord>();
  const files: string[] = [];
  const reusableContents: string[] = [];
  let size = 0;
  for (const record of byId.values()) {
    size += sizeOfRecord(record);
    if (isPage(record)) pages.set(record.id, record);
    else if (record.kind === 'file' && record.unlisted !== true) files.push(record.id);
    else if (record.kind === 'reusable-content') reusableContents.push(record.id);
  }
  const parents = resolveParents(pages, report);
  const children = orderedChildren(pages, parents);
  const slugs = firstOfEach(slugEntries(children), 'duplicate-slug', report);
  const sources = firstOfEach(sourceEntries(byId.values()), 'duplicate-source', report);
  const foldedSources = new Map<string, string[]>();
  for (const [path, id] of sources) {
    const folded = foldPath(path);
    if (folded !== path) addToList(foldedSources, folded, id);
  }
  const childIds = new Map<string, readonly string[]>();
  for (const [id, siblings] of children)
    childIds.set(
      id,
      siblings.map((page) => page.id),
    );
  return {
    records: SharedMap.from(byId),
    children: SharedMap.from(childIds),
    slugs: SharedMap.from(slugs),
    sources: SharedMap.from(sources),
    foldedSources: SharedMap.from(foldedSources),
    files,
    reusableContents,
    problems,
    size,
  };
}

function orderedChildren(
  pages: ReadonlyMap<string, PageRecord>,
  parents: ReadonlyMap<string, string>,
): Map<string, PageRecord[]> {
  const children = new Map<string, PageRecord[]>();
  for (const [id, page] of pages) addToList(children, parents.get(id) ?? '', page);
  for (const siblings of children.values()) siblings.sort(compareSiblings);
  return children;
}

function* slugEntries(children: ReadonlyMap<string, readonly PageRecord[]>): Iterable<[string, string]> {
  for (const [parent, pages] of children) {
    for (const page of pages) if (hasSlug(page)) yield [slugKey(parent, page.slug), page.id];
  }
}

function* sourceEntries(records: Iterable<ContentRecord>): Iterable<[string, string]> {
  for (const record of records) {
    const path = sourceOf(record);
    if (path !== undefined) yield [path, record.id];
  }
}

function firstOfEach(
  entries: Iterable<[string, string]>,
  problem: Problem,
  report: (id: string, problem: Problem) => void,
): Map<string, string> {
  const first = new Map<string, string>();
  for (const [key, id] of entries) {
    if (first.has(key)) report(id, problem);
    else first.set(key, id);
  }
  return first;
}
