import { addToList } from '../add-to-list.ts';
import { eachInSteps } from '../in-steps.ts';
import { sortInSteps } from '../sort-in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import { foldPath } from './portable-path.ts';
import { sizeOfRecord } from './record-size.ts';
import { resolveParents } from './resolve-parents.ts';
import { hasSlug, isPage, type ContentRecord, type PageRecord } from './records.ts';
import { SharedMap } from './shared-map.ts';
import { compareSiblings, slugKey, sourceOf, type Problem, type Tree } from './tree.ts';

/** Builds a valid tree from any records. The result does not depend on their order. */
export const buildTree = (records: Iterable<ContentRecord>): Tree => runToEnd(buildTreeInSteps(records));

/** The same in steps: 50,000 records take a third of a second. */
export function* buildTreeInSteps(records: Iterable<ContentRecord>): Generator<void, Tree, void> {
  const all = yield* sortInSteps(Array.from(records), (a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map<string, ContentRecord>();
  yield* eachInSteps(all, (record) => byId.set(record.id, record));
  const problems = new Map<string, Problem[]>();
  const report = (id: string, problem: Problem) => addToList(problems, id, problem);
  const pages = new Map<string, PageRecord>();
  const files: string[] = [];
  const reusableContents: string[] = [];
  let size = 0;
  yield* eachInSteps(byId.values(), (record) => {
    size += sizeOfRecord(record);
    if (isPage(record)) pages.set(record.id, record);
    else if (record.kind === 'file' && record.unlisted !== true) files.push(record.id);
    else if (record.kind === 'reusable-content') reusableContents.push(record.id);
  });
  const parents = yield* resolveParents(pages, report);
  const children = yield* orderedChildren(pages, parents);
  const slugs = yield* firstOfEach(slugEntries(children), 'duplicate-slug', report);
  const sources = yield* firstOfEach(sourceEntries(byId.values()), 'duplicate-source', report);
  const foldedSources = new Map<string, string[]>();
  yield* eachInSteps(sources, ([path, id]) => {
    const folded = foldPath(path);
    if (folded !== path) addToList(foldedSources, folded, id);
  });
  const childIds = new Map<string, readonly string[]>();
  yield* eachInSteps(children, ([id, siblings]) =>
    childIds.set(
      id,
      siblings.map((page) => page.id),
    ),
  );
  return {
    records: yield* SharedMap.fromInSteps(byId),
    children: yield* SharedMap.fromInSteps(childIds),
    slugs: yield* SharedMap.fromInSteps(slugs),
    sources: yield* SharedMap.fromInSteps(sources),
    foldedSources: yield* SharedMap.fromInSteps(foldedSources),
    files,
    reusableContents,
    problems,
    size,
  };
}

function* orderedChildren(
  pages: ReadonlyMap<string, PageRecord>,
  parents: ReadonlyMap<string, string>,
): Generator<void, Map<string, PageRecord[]>, void> {
  const children = new Map<string, PageRecord[]>();
  yield* eachInSteps(pages, ([id, page]) => addToList(children, parents.get(id) ?? '', page));
  let sorted = 0;
  for (const [parent, siblings] of children) {
    children.set(parent, yield* sortInSteps(siblings, compareSiblings));
    if (++sorted % 100 === 0) yield;
  }
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

function* firstOfEach(
  entries: Iterable<[string, string]>,
  problem: Problem,
  report: (id: string, problem: Problem) => void,
): Generator<void, Map<string, string>, void> {
  const first = new Map<string, string>();
  yield* eachInSteps(entries, ([key, id]) => {
    if (first.has(key)) report(id, problem);
    else first.set(key, id);
  });
  return first;
}
