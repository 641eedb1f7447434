import type { Hash, Load } from '../../content-engine/map/index.ts';
import type { Section } from '../../content-engine/document/index.ts';
import {
  descendantsOf,
  findPage,
  isPage,
  pathOf,
  type ContentRecord,
  type DocumentPage,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { IndexedPage } from '../search/index.ts';
import type { Engine } from './engine.ts';
import { readText } from './storage/objects.ts';
import { nameOf } from './read/render.ts';

/** The sections of documents that were parsed already. */
export type Sections = ReadonlyMap<Hash, readonly Section[]>;

interface Source {
  readonly load: Load;
  readonly engine: Engine;
}

/** What to update in the search index for a new revision: changed pages, and pages below a page whose path changed. */
export async function searchChanges(
  source: Source,
  before: Tree,
  after: Tree,
  changed: ReadonlyMap<string, ContentRecord | null>,
  known: Sections = new Map(),
): Promise<{ changed: IndexedPage[]; removed: string[] }> {
  const touched = new Set<string>();
  for (const [id, record] of changed) {
    if (!isPage(record ?? before.records.get(id))) continue;
    touched.add(id);
    if (record && findPage(before, id) && pathOf(before, id) !== pathOf(after, id)) {
      for (const below of descendantsOf(after, id)) touched.add(below);
    }
  }
  const pages: IndexedPage[] = [];
  const removed: string[] = [];
  for (const id of touched) {
    const [old, now] = [searchable(before, id), searchable(after, id)];
    if (!now) {
      if (old) removed.push(id);
    } else {
      pages.push(await indexedPage(source, after, now, old, known));
    }
  }
  return { changed: pages, removed };
}

/** Pages with `noIndex` are not searchable. */
function searchable(tree: Tree, id: string): DocumentPage | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' && !page.noIndex ? page : undefined;
}

async function indexedPage(
  { load, engine }: Source,
  tree: Tree,
  page: DocumentPage,
  old: DocumentPage | undefined,
  known: Sections,
): Promise<IndexedPage> {
  const { id, title, label, description, document } = page;
  const head = { id, title, label, description, path: pathOf(tree, id) ?? '' };
  if (old?.document === document) return head;
  const sections = known.get(document);
  if (sections) return { ...head, sections };
  const text = await readText(load, document);
  const work = { size: text.length, what: nameOf(page) };
  return { ...head, sections: (await engine.run('analyseBody', text, work)).sections };
}
