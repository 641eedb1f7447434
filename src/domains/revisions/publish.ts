import type { Hash, Load, NodeHash } from '../../content-engine/map/index.ts';
import type { BodyAnalysis } from '../../content-engine/markdown/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import { conflict } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import { indexLinks } from '../link-index/index.ts';
import { indexPages } from '../search-index/index.ts';
import type { GitCommit, MergedFrom, RevisionType } from './policy.ts';
import { findRoot, lockPrimary, insertPrimaryRevisions, type NewRevision, type Primary } from './store.ts';
import {
  type Analyses,
  type Base,
  cacheFacts,
  columnOf,
  type Content,
  linkTableIn,
  loaderOf,
  newObjects,
  readTree,
  rootOf,
  type StorageContext,
  withObjects,
  writeObjects,
} from '../content-store/index.ts';
import { analyseChanged } from './analyses/analyse-changed.ts';
import { rememberSlugs } from './former-slugs.ts';
import { requireFewLinks } from './analyses/link-limit.ts';
import { requireViewableSpecs } from './require-viewable-specs.ts';
import { searchChanges } from './analyses/search-changes.ts';

export interface Publication extends Content {
  readonly id?: string;
  readonly authorId: string | undefined;
  readonly type: RevisionType;
  readonly git?: GitCommit | undefined;
  /** The merged revision of a merge, and the change request as the API returns it. */
  readonly mergedRevisions?: readonly string[];
  readonly mergedFrom?: MergedFrom;
  /** The analyses of bodies that were parsed already. */
  readonly analyses?: Analyses;
}

/**
 * The next primary revisions of a space, each based on the one before, in the transaction that holds the lock of the
 * space. New objects, the revisions, the search index and the links are written together.
 */
export class Publishing {
  /** A loader that also reads objects that are not written yet. */
  readonly load: Load;
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

  constructor(ctx: StorageContext, spaceId: string, shown: Base, before?: string) {
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

  /** Returns the id of the new revision, or that of the base where an edit changed nothing. */
  async add(publication: Publication): Promise<string> {
    const { authorId, type, git, mergedFrom, tree } = publication;
    const base = this.#base;
    if (type === 'edits' && authorId !== undefined)
      await requireViewableSpecs(this.#ctx, this.load, this.spaceId, authorId, base.tree, publication);
    const { root, objects } = await newObjects(this.#ctx, this.load, base, publication);
    // A merge is part of the history also where the content of the space stays.
    if (root === rootOf(base) && publication.type !== 'merge') return base.revision_id;
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
    for (const [key, record] of publication.changed) this.#changed.set(key, record);
    const { analyses = new Map() } = publication;
    for (const [hash, analysis] of analyses) this.#analyses.set(hash, analysis);
    cacheFacts(this.#ctx, analyses);
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
    const source = { load: this.load, isFront: this.#ctx.isFront };
    const { tree: before } = this.#shown;
    const { tree: after } = this.#base;
    const analyses = await analyseChanged(source, before, after, this.#changed, this.#analyses);
    requireFewLinks(after, this.#changed, analyses);
    const search = searchChanges(before, after, this.#changed, analyses);
    const tableOf = (record: ContentRecord) => linkTableIn(this.load, record);
    const change = { before, after, changed: this.#changed, facts: analyses, tableOf };
    // The indexes read their old rows first: they do not wait until the revisions are stored.
    await allDone([
      indexPages(this.#ctx, this.spaceId, search),
      indexLinks(this.#ctx, this.spaceId, change),
      this.#writeRevisions(),
    ]);
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

/** Locks the primary revision of a space until the transaction ends. */
export const lockToPublish = async (ctx: StorageContext, spaceId: string): Promise<Publishing> =>
  publishingOn(ctx, spaceId, await lockPrimary(ctx.db, spaceId));

/** Locks a space for an edit: its `editMode` may have become locked while the caller waited. */
export async function lockLive(ctx: StorageContext, spaceId: string): Promise<Publishing> {
  const row = await lockPrimary(ctx.db, spaceId);
  requireLive(row);
  return publishingOn(ctx, spaceId, row);
}

export function requireLive({ edit_mode: mode }: Pick<Primary, 'edit_mode'>): void {
  if (mode === 'live') return;
  throw conflict('This space is locked. Use a change request, or set `editMode` to live (PATCH the space).');
}

async function publishingOn(ctx: StorageContext, spaceId: string, row: Primary): Promise<Publishing> {
  const tree = await readTree(ctx, row);
  return new Publishing(ctx, spaceId, { ...row, tree }, row.parents[0]);
}
