import { hashOf, type Hash } from '../map/index.ts';
import {
  childrenOf,
  deriveTree,
  expandedPages,
  findPage,
  fromBlob,
  inline,
  isAsGenerated,
  isOutOfLine,
  slugKey,
  ROOT,
  type ComputedPage,
  type ContentRecord,
  type DocumentPage,
  type GeneratedPart,
  type Inline,
  type Tree,
} from '../tree/index.ts';
import type { ApiOutline } from '../openapi/index.ts';
import type { Body, Draft } from './draft.ts';
import { placePages } from './place-pages.ts';
import { planPages, planRefusal, type PlannedPage } from './plan-pages.ts';
import { readSpecEntry } from './source.ts';
import { bodyOf, findPart, updateBody, withRemaining } from './update-body.ts';

export interface ExpandOptions {
  /** In milliseconds. */
  readonly now: number;
  /** A stored text. */
  readonly load: (hash: Hash) => Promise<string>;
}

export interface Expanded {
  readonly tree: Tree;
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly texts: ReadonlyMap<Hash, string>;
}

/**
 * The pages of an entry by its specification. What people have changed stays; pages that they have deleted do not come
 * back; a page whose operation is gone remains, and shows that.
 */
export async function expandEntry(
  tree: Tree,
  entry: ComputedPage,
  outline: ApiOutline,
  options: ExpandOptions,
): Promise<Expanded> {
  const source = readSpecEntry(entry.computed);
  const texts = new Map<Hash, string>();
  if (source === undefined) return { tree, changed: new Map(), texts };
  const load = async (hash: Hash) => texts.get(hash) ?? (await options.load(hash));
  const readParts = async <T extends object>(value: Inline<T>): Promise<T> =>
    isOutOfLine(value) ? fromBlob<T>(await load(value.hash)) : (value as T);
  const pages = new Map(
    (expandedPages(tree).get(entry.id) ?? []).map((page) => [page.generated?.key ?? '', page]),
  );
  const known = new Set(entry.expanded === undefined ? [] : await readParts(entry.expanded));
  const idOf = (key: string): string | undefined =>
    pages.get(key)?.id ?? (known.has(key) ? undefined : idOfPage(entry.id, key));
  const refusal = planRefusal(source, outline);
  const plan = refusal === undefined ? planPages(source, outline, idOf) : [refusal];
  const present = new Set(plan.flatMap(({ key, parts }) => [key, ...parts.map(([part]) => part)]));
  const isVanished = ([key, text]: GeneratedPart): boolean =>
    isOperation(key) && !present.has(key) && text.includes(`spec="${source.spec}"`);

  async function writeBody(before: DocumentPage | undefined, planned: PlannedPage): Promise<Body> {
    const old = before?.generated === undefined ? [] : await readParts(before.generated.parts);
    const parts = withRemaining(old, planned.parts, isVanished);
    const body = bodyOf(parts);
    const generated = hashOf(body);
    const { value, blob } = inline<readonly GeneratedPart[]>(parts);
    if (blob !== undefined && isOutOfLine(value)) texts.set(value.hash, blob);
    if (before === undefined || before.document === before.generated?.document) {
      texts.set(generated, body);
      return { document: generated, generated, parts: value };
    }
    const edited = await load(before.document);
    const updated = updateBody(edited, before.generated === undefined ? parts : old, parts);
    const document = updated === edited ? before.document : hashOf(updated);
    if (document !== before.document) texts.set(document, updated);
    return { document, generated, parts: value };
  }

  const drafts = new Map<string, Draft>();
  for (const planned of plan) {
    const { key, parent } = planned;
    // A page that a user has deleted gets no new child pages.
    const above = parent === undefined ? undefined : drafts.get(parent);
    const isAboveDeleted = parent !== undefined && above === undefined;
    let before = pages.get(key);
    if (before === undefined && (known.has(key) || isAboveDeleted)) continue;
    before ??= await findAdopted(
      tree,
      planned,
      above?.id ?? (parent === undefined ? entry.parent : undefined),
      load,
    );
    const id = before?.id ?? idOfPage(entry.id, key);
    if (before === undefined && tree.records.has(id)) continue;
    drafts.set(key, { planned, id, before, body: await writeBody(before, planned) });
    known.add(key);
  }
  const removed = new Map<string, null>();
  for (const [key, page] of pages) {
    // A version that is too large leaves those of the one before it.
    if (drafts.has(key) || refusal !== undefined) continue;
    const parts = page.generated === undefined ? [] : await readParts(page.generated.parts);
    if (parts.some(isVanished) || !isAsGenerated(page)) continue;
    removed.set(page.id, null);
    known.delete(key);
  }
  for (const id of removed.keys()) if (hasOtherPages(tree, id, removed)) keep(id);
  function keep(id: string): void {
    removed.delete(id);
    for (const [key, page] of pages) if (page.id === id) known.add(key);
  }

  const changed = new Map<string, ContentRecord | null>(removed);
  for (const page of placePages(deriveTree(tree, removed), entry, [...drafts.values()], options.now))
    changed.set(page.id, page);
  const { value, blob } = inline<readonly string[]>([...known].toSorted());
  if (blob !== undefined && isOutOfLine(value)) texts.set(value.hash, blob);
  if (known.size > 0 || entry.expanded !== undefined) changed.set(entry.id, { ...entry, expanded: value });
  return { tree: deriveTree(tree, changed), changed, texts };
}

const isOperation = (key: string): boolean => /^(?:operation|webhook) /.test(key);

/** Deterministic, so that an expansion that runs twice gives the same pages. */
const idOfPage = (entry: string, key: string): string =>
  hashOf(`${entry} ${key}`).replaceAll(/[-_]/g, '').slice(0, 20);

/**
 * A page that an import read from the file of a generated page: it has the slug that the page would get, and shows one of
 * its operations.
 */
async function findAdopted(
  tree: Tree,
  { slug, parts }: PlannedPage,
  parent: string | undefined,
  load: ExpandOptions['load'],
): Promise<DocumentPage | undefined> {
  const page = findPage(tree, tree.slugs.get(slugKey(parent ?? ROOT, slug)) ?? '');
  if (page?.type !== 'document' || page.generated !== undefined) return undefined;
  // The page of a tag whose operations have pages: nothing is added to it.
  if (!parts.some(([key]) => isOperation(key))) return page;
  const body = await load(page.document);
  return parts.some(([, text]) => findPart(body, text) !== undefined) ? page : undefined;
}

/** Whether a page has pages below it that stay. */
const hasOtherPages = (tree: Tree, id: string, removed: ReadonlyMap<string, null>): boolean =>
  childrenOf(tree, id).some((child) => !removed.has(child) || hasOtherPages(tree, child, removed));
