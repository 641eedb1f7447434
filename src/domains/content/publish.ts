import type { Hash, Load, NodeHash } from '../../content-engine/map/index.ts';
import type { Section } from '../../content-engine/document/index.ts';
import type { ContentRecord } from '../../content-engine/tree/index.ts';
import type { Database } from '../../platform/database/connection.ts';
import { conflict } from '../../platform/api/errors.ts';
import { newId } from '../../platform/api/ids.ts';
import { indexPages } from '../search/index.ts';
import {
  findRoot,
  lockPrimary,
  moveTo,
  type GitCommit,
  type MergedFrom,
  type NewRevision,
  type Primary,
  type RevisionType,
} from '../spaces/index.ts';
import type { Engine } from './engine.ts';
import { searchChanges, type Sections } from './indexed.ts';
import { loaderOf, withObjects } from './objects.ts';
import { objectsOf, type Base, type Content } from './store-changes.ts';
import { writeObjects } from './store.ts';
import { columnOf, rootOf, treeAt } from './trees.ts';

export interface Publication extends Content {
  readonly id?: string;
  readonly authorId: string | undefined;
  readonly type: RevisionType;
  readonly git?: GitCommit | undefined;
  /** Of a merge: the revision that was merged in, and what the answers say of where it came from. */
  readonly mergedRevisions?: readonly string[];
  readonly mergedFrom?: MergedFrom;
  /** What is known already of documents that were read anyway. */
  readonly sections?: Sections;
}

/**
 * The next primary revisions of a space, each made of the one before, in the transaction that holds the lock of the space.
 * They are written together: new objects, the revisions, and what search knows.
 */
export class Publishing {
  /** Also reads what is not written yet. */
  readonly load: Load;
  readonly engine: Engine;
  readonly #db: Database;
  readonly #spaceId: string;
  readonly #shown: Base;
  #base: Base;
  /** The revision before the base, where anybody may ask for it. */
  #before: string | undefined;
  readonly #revisions: NewRevision[] = [];
  readonly #objects = new Map<Hash | NodeHash, Uint8Array>();
  readonly #changed = new Map<string, ContentRecord | null>();
  readonly #sections = new Map<Hash, readonly Section[]>();

  constructor(db: Database, engine: Engine, spaceId: string, shown: Base, before?: string) {
    this.engine = engine;
    this.load = withObjects(loaderOf(db, shown.store_id), this.#objects);
    this.#db = db;
    this.#spaceId = spaceId;
    this.#shown = shown;
    this.#base = shown;
    this.#before = before;
  }

  /** What the next one is made of. */
  get base(): Base {
    return this.#base;
  }

  /** Answers its id. Where nothing changed there is no new one, and it is that of the present one. */
  async add(publication: Publication): Promise<string> {
    const { authorId, type, git, mergedFrom, tree } = publication;
    const base = this.#base;
    const { root, objects } = await objectsOf(this.load, base, publication);
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
    for (const [key, record] of publication.changed) this.#changed.set(key, record);
    for (const [hash, sections] of publication.sections ?? []) this.#sections.set(hash, sections);
    this.#before = base.revision_id;
    this.#base = { ...base, revision_id: id, root: columnOf(root), tree };
    return id;
  }

  /** The root of a revision of the space; by default of the one before the base. */
  async rootOf(id: string | undefined = this.#before): Promise<NodeHash | undefined> {
    if (id === undefined) return undefined;
    const fresh = this.#revisions.find((revision) => revision.id === id);
    const found = fresh ?? (await findRoot(this.#db, this.#spaceId, id));
    return found && rootOf(found);
  }

  async write(): Promise<void> {
    if (this.#revisions.length === 0) return;
    await writeObjects(this.#db, this.#shown.store_id, this.#objects);
    await moveTo(this.#db, this.#spaceId, this.#revisions);
    const { tree: before } = this.#shown;
    const { tree: after } = this.#base;
    const changes = await searchChanges(this, before, after, this.#changed, this.#sections);
    await indexPages(this.#db, this.#spaceId, changes);
  }
}

/** On what the space shows now, which stays so until the transaction ends. */
export const lockToPublish = async (db: Database, engine: Engine, spaceId: string): Promise<Publishing> =>
  publishingOn(db, engine, spaceId, await lockPrimary(db, spaceId));

/** The same for what a person edits: they may have waited while somebody locked the space. */
export async function lockLive(db: Database, engine: Engine, spaceId: string): Promise<Publishing> {
  const row = await lockPrimary(db, spaceId);
  requireLive(row);
  return publishingOn(db, engine, spaceId, row);
}

export function requireLive({ edit_mode: mode }: Pick<Primary, 'edit_mode'>): void {
  if (mode === 'live') return;
  throw conflict('This space is locked. Use a change request, or set `editMode` to live (PATCH the space).');
}

async function publishingOn(
  db: Database,
  engine: Engine,
  spaceId: string,
  row: Primary,
): Promise<Publishing> {
  const tree = await treeAt(loaderOf(db, row.store_id), rootOf(row));
  return new Publishing(db, engine, spaceId, { ...row, tree }, row.parents[0]);
}
