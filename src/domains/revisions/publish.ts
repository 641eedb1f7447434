import type { Hash, Load, NodeHash } from '../../content-engine/map/index.ts';
import type { BodyAnalysis } from '../../content-engine/markdown/index.ts';
import { sizeOfCharacters } from '../../content-engine/size-of-text.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import { conflict } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import { pauseBetweenSlices } from '../../platform/threads/slices.ts';
import { indexLinks } from '../link-index/index.ts';
import { indexPages } from '../search/index.ts';
import type { GitCommit, MergedFrom, RevisionType } from './policy.ts';
import { findRoot, lockPrimary, insertPrimaryRevisions, type NewRevision, type Primary } from './store.ts';
import type { Engine } from './engine.ts';
import { analyseChanged, type Analyses } from './analyse-changed.ts';
import { cacheFacts } from './body-facts.ts';
import { rememberSlugs } from './former-slugs.ts';
import { requireFewLinks } from './link-limit.ts';
import { searchChanges } from './search-changes.ts';
import { linkTableIn } from './read/bodies.ts';
import { loaderOf, withObjects, type StorageContext } from './storage/objects.ts';
import { newObjects, type Base, type Content } from './storage/write-content.ts';
import { writeObjects } from './storage/object-store.ts';
import { columnOf, rootOf, treeAt } from './storage/trees.ts';

export interface Publication extends Content {
  readonly id?: string;
  readonly authorId: string | undefined;
  readonly type: RevisionType;
  readonly git?: GitCommit | undefined;
  /** Of a merge: the merged revision, and the change request as the API returns it. */
  readonly mergedRevisions?: readonly string[];
  readonly mergedFrom?: MergedFrom;
  /** Of bodies that were parsed already. */
  readonly analyses?: Analyses;
}

/**
 * The next primary revisions of a space, each based on the one before, in the transaction that holds the lock of the
 * space. New objects, the revisions, the search index and the links are written together.
 */
export class Publishing {
  /** Also reads objects that are not written yet. */
  readonly load: Load;
  readonly engine: Engine;
  readonly #ctx: StorageContext;
  readonly spaceId: string;
  readonly #shown: Base;
  #base: Base;
  /** The revision before the base, for reverting to it. */
  #before: string | undefined;
  readonly #revisions: NewRevision[] = [];
  readonly #objects = new Map<Hash | NodeHash, Uint8Array>();
  readonly #changed = new Map<string, ContentRecord | null>();
  readonly #analyses = new Map<Hash, BodyAnalysis>();

  constructor(ctx: StorageContext, engine: Engine, spaceId: string, shown: Base, before?: string) {
    this.engine = engine;
    this.load = withObjects(loaderOf(ctx, shown.store_id), this.#objects);
    this.#ctx = ctx;
    this.spaceId = spaceId;
    this.#shown = shown;
    this.#base = shown;
    this.#before = before;
  }

  /** The revision that the next one is based on. */
  get base(): Base {
    return this.#base;
  }

  /** Ids of what changed since the revision that the indexes describe. */
  get unindexed(): Iterable<string> {
    return this.#changed.keys();
  }

  /** Returns the id of the new revision, or that of the base where nothing changed. */
  async add(publication: Publication): Promise<string> {
    const { authorId, type, git, mergedFrom, tree } = publication;
    const base = this.#base;
    const pause = pauseAfterMany(publication.changed);
    const { root, objects } = await newObjects(this.#ctx, this.load, base, publication);
    await pause();
    if (root === rootOf(base)) return base.revision_id;
    const id = publication.id ?? newId();
    this.#revisions.push({
      id,
      type,
      parents: [base.revision_id, ...(publication.mergedRevisions ?? [])],
      root: columnOf(root),
      authorId,
      git,
      mergedFrom,
    });
    for (const [hash, bytes] of objects) this.#objects.set(hash, bytes);
    await pause();
    for (const [key, record] of publication.changed) this.#changed.set(key, record);
    const { analyses = new Map() } = publication;
    for (const [hash, analysis] of analyses) this.#analyses.set(hash, analysis);
    await pause();
    await cacheFacts(this.#ctx, analyses);
    this.#before = base.revision_id;
    this.#base = { ...base, revision_id: id, root: columnOf(root), tree };
    return id;
  }

  /** The root of a revision of the space; by default of the one before the base. */
  async rootOf(id: string | undefined = this.#before): Promise<NodeHash | undefined> {
    if (id === undefined) return undefined;
    const fresh = this.#revisions.find((revision) => revision.id === id);
    const found = fresh ?? (await findRoot(this.#ctx.db, this.spaceId, id));
    return found && rootOf(found);
  }

  async write(): Promise<void> {
    if (this.#revisions.length === 0) return;
    const { tree: before } = this.#shown;
    const { tree: after } = this.#base;
    const pause = pauseAfterMany(this.#changed);
    const analyses = await analyseChanged(this, before, after, this.#changed, this.#analyses);
    await pause();
    requireFewLinks(after, this.#changed, analyses);
    await pause();
    const search = await searchChanges(before, after, this.#changed, analyses);
    await pause();
    const tableOf = (record: ContentRecord) => linkTableIn(this.load, record);
    const change = { before, after, changed: this.#changed, facts: analyses, tableOf };
    const { db } = this.#ctx;
    // The indexes read their old rows first: they do not wait until the revisions are stored. A thread builds a large
    // search index meanwhile.
    await allDone([
      indexPages(db, this.spaceId, search, (input, size) =>
        this.engine.hasFreeThread()
          ? this.engine.run('buildSegment', input, {
              size: sizeOfCharacters(size),
              what: 'The text to search',
            })
          : undefined,
      ),
      // Each begins with work on all changed records.
      pause().then(() => indexLinks(db, this.spaceId, change)),
      this.#writeRevisions(),
    ]);
    await pause();
    await rememberSlugs(this.#ctx.db, this.spaceId, before, after, this.#changed);
  }

  async #writeRevisions(): Promise<void> {
    await writeObjects(this.#ctx.db, this.#shown.store_id, this.#objects);
    await insertPrimaryRevisions(this.#ctx.db, this.spaceId, this.#revisions);
  }
}

/**
 * Waits for all, also if one fails: statements must not be sent after the transaction has ended. Throws the first
 * failure in time: after it, PostgreSQL refuses every statement of the transaction.
 */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  try {
    await Promise.all(work);
  } catch (error) {
    await Promise.allSettled(work);
    throw error;
  }
}

/** Changes that are published without a pause: a pause delays the other requests that are committed with them. */
const FEW = 500;

/** An import changes thousands of records, and each stage of its publication takes time for all of them. */
const pauseAfterMany = (changed: ReadonlyMap<string, unknown>): (() => Promise<void>) =>
  changed.size > FEW ? pauseBetweenSlices() : () => Promise.resolve();

/** Locks the primary revision of a space until the transaction ends. */
export const lockToPublish = async (
  ctx: StorageContext,
  engine: Engine,
  spaceId: string,
): Promise<Publishing> => publishingOn(ctx, engine, spaceId, await lockPrimary(ctx.db, spaceId));

/** The same for an edit: the space may have been locked for editing while the caller waited. */
export async function lockLive(ctx: StorageContext, engine: Engine, spaceId: string): Promise<Publishing> {
  const row = await lockPrimary(ctx.db, spaceId);
  requireLive(row);
  return publishingOn(ctx, engine, spaceId, row);
}

export function requireLive({ edit_mode: mode }: Pick<Primary, 'edit_mode'>): void {
  if (mode === 'live') return;
  throw conflict('This space is locked. Use a change request, or set `editMode` to live (PATCH the space).');
}

async function publishingOn(
  ctx: StorageContext,
  engine: Engine,
  spaceId: string,
  row: Primary,
): Promise<Publishing> {
  const tree = await treeAt(ctx, loaderOf(ctx, row.store_id), rootOf(row));
  return new Publishing(ctx, engine, spaceId, { ...row, tree }, row.parents[0]);
}
