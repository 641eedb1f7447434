import { buffer } from 'node:stream/consumers';
import {
  pictureKey,
  picturesIn,
  type Book,
  type BookPage,
  type PictureRef,
} from '../../content-engine/typst/index.ts';
import type { JSONDocument } from '../../content-engine/markdown/index.ts';
import {
  depthOf,
  descendantsOf,
  findFile,
  findPage,
  findReusableContent,
  walkPages,
  type PageRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { loaderOf, readDocument, rootOf, storageName, treeAt, type ContentRow } from '../content/index.ts';
import type { Heading, PdfKey } from './store.ts';

const MOST_PICTURE_BYTES = 10 * 1024 * 1024;
const MOST_REMOTE = 20;
const REMOTE_MS = 3000;

/** What is typeset of a revision: its pages in reading order, as a stranger would see them, without hidden ones. */
export async function bookOf(
  ctx: Context,
  row: ContentRow,
  { pageId, withBelow }: PdfKey,
  { title, language }: Heading,
): Promise<Book> {
  const load = loaderOf(ctx.db, row.store_id);
  const tree = await treeAt(load, rootOf(row));
  const chosen = pageId === '' ? undefined : findPage(tree, pageId);
  if (pageId !== '' && !chosen) throw notFound('Page');
  const pages: BookPage[] = [];
  for (const page of chosenPages(tree, chosen, withBelow)) {
    const { id, title, emoji } = page;
    const depth = depthOf(tree, id) - (chosen ? depthOf(tree, chosen.id) : 1);
    if (page.type !== 'document') pages.push({ id, title, emoji, depth });
    else {
      const document = await readDocument(load, tree, page, 'true');
      pages.push({ id, title, emoji, depth, description: page.description, document });
    }
  }
  const reusableContents = new Map<string, JSONDocument>();
  for (const id of tree.reusableContents) {
    const content = findReusableContent(tree, id);
    if (content) reusableContents.set(id, await readDocument(load, tree, content, 'true'));
  }
  const documents = [...pages.flatMap(({ document }) => document ?? []), ...reusableContents.values()];
  return {
    title: chosen?.title ?? title,
    subtitle: chosen ? title : undefined,
    date: row.revision_created_at.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' }),
    language: language?.slice(0, 2) ?? undefined,
    pages,
    reusableContents,
    pictures: await readPictures(ctx, tree, picturesIn(documents)),
    describe: (ref) => {
      if (ref.kind === 'page') return { title: findPage(tree, ref.page)?.title };
      if (ref.kind === 'file') return { title: findFile(tree, ref.file)?.name };
      return undefined;
    },
  };
}

function chosenPages(tree: Tree, chosen: PageRecord | undefined, withBelow: boolean): PageRecord[] {
  const shown = (page: PageRecord | undefined) =>
    page && !page.hidden && (page.type === 'document' || page.type === 'group') ? [page] : [];
  if (!chosen) return [...walkPages(tree)].flatMap(({ page }) => shown(page));
  const below = withBelow ? descendantsOf(tree, chosen.id) : [];
  return [chosen, ...below.flatMap((id) => shown(findPage(tree, id)))];
}

/** What cannot be got is left out: its alternative text stands in its place. */
async function readPictures(
  ctx: Context,
  tree: Tree,
  refs: readonly PictureRef[],
): Promise<Map<string, Uint8Array>> {
  const remote = refs.filter(({ kind }) => kind === 'url').slice(0, MOST_REMOTE);
  const own = refs.filter(({ kind }) => kind === 'file');
  const read = async (ref: PictureRef): Promise<[string, Uint8Array][]> => {
    const bytes = await (ref.kind === 'file' ? readOwn(ctx, tree, ref.file) : fetchRemote(ctx, ref.url));
    return bytes ? [[pictureKey(ref), bytes]] : [];
  };
  return new Map((await Promise.all([...own, ...remote].map(read))).flat());
}

async function readOwn(ctx: Context, tree: Tree, id: string): Promise<Uint8Array | undefined> {
  const file = findFile(tree, id);
  if (!file || file.size > MOST_PICTURE_BYTES) return undefined;
  const opened = await ctx.files.open(storageName(file.hash));
  return opened && buffer(opened.stream);
}

async function fetchRemote(ctx: Context, url: string): Promise<Uint8Array | undefined> {
  try {
    const answer = await ctx.outbound.fetch(url, { maxBytes: MOST_PICTURE_BYTES, timeoutMs: REMOTE_MS });
    return answer.status === 200 ? answer.body : undefined;
  } catch {
    return undefined;
  }
}
