import {
  findByPath,
  findFile,
  findPage,
  findReusableContent,
  isPage,
  type ContentRecord,
  type DocumentPage,
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord,
  type Tree,
} from '../../../content-engine/tree/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import { canonicalText, hashOf } from '../../../content-engine/map/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { notFound } from '../../../platform/api/errors.ts';
import { Encoded } from '../../../platform/api/operation.ts';
import { presentList, slicePage, stateOf, type PageRequest } from '../../../platform/api/pagination.ts';
import { answered, jsonOf, withMember } from './answers.ts';
import { renderDocument, type Evaluated } from '../../../content-engine/evaluation/index.ts';
import { loaderOf, rootOf, runTaskInTurn, treeAt } from '../../content-store/index.ts';
import { blobsOf } from './git-blobs.ts';
import type { ContentRow } from '../policy.ts';
import { hashOfDocumentId, presentFile, presentReusableContent, type Shown } from '../present.ts';
import { findRoot } from '../store.ts';
import { readDocumentJson, readMarkdown, type Source } from './render.ts';
import { writePage, writePages, writeRevision } from './write-tree.ts';

// The format of a page whose request names none (docs/decisions/0060-the-default-format-of-pages.md).
declare module '../../../platform/api/context.ts' {
  interface Settings {
    readonly pageFormat: 'markdown' | 'document';
  }
}

export interface ContentOptions {
  readonly computed?: boolean | undefined;
  readonly metadata?: boolean | undefined;
}

export interface PageOptions extends ContentOptions {
  readonly format?: 'markdown' | 'document' | undefined;
  readonly evaluated?: Evaluated | undefined;
}

/** What an operation reads of a revision. */
type Reader = Shown & Source;

async function open(
  ctx: Context,
  row: ContentRow,
  { computed = true, metadata = true }: ContentOptions = {},
): Promise<Reader> {
  const load = loaderOf(ctx, row.store_id);
  const tree = await treeAt(ctx, load, rootOf(row));
  const blobOf = metadata ? await blobsOf(ctx, load, row) : undefined;
  const { addresses, keys, isFront } = ctx;
  return { row, tree, load, computed, blobOf, addresses, keys, isFront };
}

/** Covers all inputs of an answer besides the revision, so that equal keys mean equal answers. */
const keyOf = (row: ContentRow, what: string, options: object): string =>
  `${row.space_id} ${row.store_id} ${row.revision_id} ${row.git?.oid ?? ''} ${row.git_synced_at ?? ''} ${what} ${JSON.stringify(options)}`;

/** The ETag of an answer about a whole revision: known before anything of it is read. */
export const treeEtag = (row: ContentRow, options: ContentOptions): string =>
  `"${row.revision_id}-${hashOf(JSON.stringify([row.store_id, ...synchronizedIn(row, options), options])).slice(0, 8)}"`;

const synchronizedIn = (row: ContentRow, options: ContentOptions) =>
  options.metadata === false ? [] : [gitOf(row, options)?.oid, row.git_synced_at];

/** The commit of a revision may become known after the revision: `metadata` false omits it. */
const gitOf = (row: ContentRow, { metadata = true }: ContentOptions) => (metadata ? row.git : null);

export const readRevision = (ctx: Context, row: ContentRow, options: ContentOptions): Promise<Encoded> =>
  tree(ctx, row, 'revision', options, writeRevision);

export const readPages = (ctx: Context, row: ContentRow, options: ContentOptions): Promise<Encoded> =>
  tree(ctx, row, 'pages', options, writePages);

function tree(
  ctx: Context,
  row: ContentRow,
  what: string,
  options: ContentOptions,
  write: (shown: Reader) => Buffer,
): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, what, options), async () => ({
    etag: treeEtag(row, options),
    json: write(await open(ctx, { ...row, git: gitOf(row, options) }, options)),
  }));
}

/** Finds an entry of a revision by its id or path. */
export type Find<R extends ContentRecord> = (tree: Tree) => R | undefined;

export const pageById =
  (id: string): Find<PageRecord> =>
  (tree) =>
    findPage(tree, id);
export const pageByPath =
  (path: string): Find<PageRecord> =>
  (tree) =>
    findByPath(tree, path);

export function readPage(
  ctx: Context,
  row: ContentRow,
  what: string,
  find: Find<PageRecord>,
  options: PageOptions,
): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, `page ${what}`, options), async () => {
    const reader = await open(ctx, row, options);
    const page = found(find(reader.tree), 'Page');
    const version = versionOf(page);
    const shown = writePage(reader, page);
    if (page.type !== 'document') return { version, json: shown };
    const { format = ctx.settings.pageFormat, evaluated } = options;
    const json =
      format === 'document'
        ? withMember(shown, 'document', await readDocumentJson(reader, page, evaluated))
        : withMember(shown, 'markdown', jsonOf(await readMarkdown(reader, page, evaluated)));
    return { version, json };
  });
}

export async function readMetaLinks(ctx: Context, row: ContentRow, id: string) {
  found(findPage((await open(ctx, row, { metadata: false })).tree, id), 'Page');
  return {};
}

/** Changes with every change of the page itself: `ifMatch` of a batch compares it. */
export const versionOf = (record: ContentRecord): string => hashOf(canonicalText(record)).slice(0, 16);

export function readDocumentOf(
  ctx: Context,
  row: ContentRow,
  what: string,
  find: Find<PageRecord | ReusableContentRecord>,
  options: { readonly evaluated?: Evaluated | undefined },
): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, `document ${what}`, options), async () => {
    const reader = await open(ctx, row);
    const record = find(reader.tree);
    if (!record || (isPage(record) && record.type !== 'document')) throw notFound('Document');
    return { version: versionOf(record), json: await readDocumentJson(reader, record, options.evaluated) };
  });
}

/** Reads a document by the id that this space returned: ids of other spaces are not found. */
export function readDocumentById(
  ctx: Context,
  row: ContentRow,
  id: string,
  options: { readonly evaluated?: Evaluated | undefined },
): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, `document ${id}`, options), async () => {
    const hash = hashOfDocumentId(ctx.keys, row.space_id, id);
    if (hash === undefined) throw notFound('Document');
    const reader = await open(ctx, row);
    const owner = ownersOf(reader.tree).get(hash);
    if (owner) return { version: hash, json: await readDocumentJson(reader, owner, options.evaluated) };
    // It belongs to an older revision: the targets of its links at that time are not known here.
    const [bytes] = await reader.load([hash]);
    if (!bytes) throw notFound('Document');
    const text = Buffer.from(bytes).toString('utf8');
    const work = { size: sizeOfText(text), what: 'The document' };
    const json = await runTaskInTurn(ctx, work, () => renderDocument(text, () => undefined, undefined));
    return { version: hash, json };
  });
}

type Owner = DocumentPage | ReusableContentRecord;
const owners = new WeakMap<Tree, ReadonlyMap<string, Owner>>();

/** The page or reusable content of each document. */
function ownersOf(tree: Tree): ReadonlyMap<string, Owner> {
  let map = owners.get(tree);
  if (!map) {
    map = new Map(
      [...tree.records.values()].flatMap((record): [string, Owner][] =>
        record.kind === 'reusable-content' || (record.kind === 'page' && record.type === 'document')
          ? [[record.document, record]]
          : [],
      ),
    );
    owners.set(tree, map);
  }
  return map;
}

export async function readFile(ctx: Context, row: ContentRow, id: string): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, `file ${id}`, {}), async () => {
    const reader = await open(ctx, row);
    const file = found(findFile(reader.tree, id), 'File');
    if (file.unlisted) throw notFound('File');
    return { version: versionOf(file), json: jsonOf(presentFile(reader, file)) };
  });
}

/** Sorted by id, in the revision that the list began with. */
export async function listFiles(ctx: Context, row: ContentRow, page: PageRequest) {
  const reader = await open(ctx, await rowOfList(ctx, row, stateOf(page)));
  return presentList(slicePage(reader.tree.files, page, reader.row.revision_id), (id) =>
    presentFile(reader, findFile(reader.tree, id) as FileRecord),
  );
}

async function rowOfList(ctx: Context, row: ContentRow, revisionId: string | undefined): Promise<ContentRow> {
  if (revisionId === undefined || revisionId === row.revision_id) return row;
  const found = await findRoot(ctx.db, row.space_id, revisionId);
  return found ? { ...row, revision_id: revisionId, root: found.root } : row;
}

export async function readReusableContent(ctx: Context, row: ContentRow, id: string): Promise<Encoded> {
  return answered(ctx.caches.revisionAnswers, keyOf(row, `reusable-content ${id}`, {}), async () => {
    const reader = await open(ctx, row);
    const content = found(findReusableContent(reader.tree, id), 'Reusable content');
    return { version: versionOf(content), json: jsonOf(presentReusableContent(reader, content)) };
  });
}

export const reusableContentById =
  (id: string): Find<ReusableContentRecord> =>
  (tree) =>
    findReusableContent(tree, id);

function found<R>(record: R | undefined, name: string): R {
  if (!record) throw notFound(name);
  return record;
}
