import {
  documentOf,
  evaluateDocument,
  expandOpenAPI,
  visitOf,
  type Body,
  type OpenAPIParts,
} from '../../content-engine/evaluation/index.ts';
import { pictureKey, picturesIn, type Book, type BookPage } from '../../content-engine/render/typst/index.ts';
import type { JSONDocument } from '../../content-engine/document/index.ts';
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

/** Pure, because it runs in a worker thread. */

/** A space, or a page of it with or without the pages below. */
export interface Selection {
  readonly pageId: string | undefined;
  readonly withBelow: boolean;
}

/** The title page of a space. If a page is selected, its title is the title, and that of the space the subtitle. */
export interface Cover {
  readonly title: string;
  readonly language: string | undefined;
  readonly date: string;
}

const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_REMOTE_PICTURES = 20;

/** The pages that are shown, in reading order, without hidden ones. */
export function selectedPages(tree: Tree, { pageId, withBelow }: Selection): PageRecord[] {
  const shown = (page: PageRecord | undefined) =>
    page && !page.hidden && (page.type === 'document' || page.type === 'group') ? [page] : [];
  if (pageId === undefined) return [...walkPages(tree)].flatMap(({ page }) => shown(page));
  const first = findPage(tree, pageId);
  const below = withBelow ? descendantsOf(tree, pageId) : [];
  return [...(first ? [first] : []), ...below.flatMap((id) => shown(findPage(tree, id)))];
}

/** A revision as a book, as an anonymous visitor would see it. */
export function bookOf(
  tree: Tree,
  selection: Selection,
  bodies: ReadonlyMap<string, Body>,
  cover: Cover,
  parts: OpenAPIParts,
): Book {
  const top = selection.pageId === undefined ? undefined : findPage(tree, selection.pageId);
  const topDepth = top ? depthOf(tree, top.id) : 1;
  const pages = selectedPages(tree, selection).map((page): BookPage => {
    const { id, title, emoji } = page;
    const depth = depthOf(tree, id) - topDepth;
    const body = bodies.get(id);
    if (page.type !== 'document' || !body) return { id, title, emoji, depth };
    const document = expandOpenAPI(documentOf(tree, page, body, 'true'), {
      partsOf: parts.of,
      pageTitle: title,
    });
    const { label: linkTitle, description } = page;
    return { id, title, linkTitle, emoji, depth, description, document };
  });
  const reusableContents = new Map<string, JSONDocument>();
  for (const id of tree.reusableContents) {
    const [content, body] = [findReusableContent(tree, id), bodies.get(id)];
    if (!content || !body) continue;
    // The PDF of one page shows it as the page itself does: with its variables.
    const including = !selection.withBelow && top?.type === 'document' ? top : content;
    const evaluated = evaluateDocument(documentOf(tree, content, body), visitOf(tree, including, 'true'));
    const document = expandOpenAPI(evaluated, { partsOf: parts.of, pageTitle: '' });
    reusableContents.set(id, document);
  }
  const documents = [...pages.flatMap(({ document }) => document ?? []), ...reusableContents.values()];
  return {
    title: top?.title ?? cover.title,
    subtitle: top ? cover.title : undefined,
    date: cover.date,
    language: cover.language,
    pages,
    reusableContents,
    pictures: availablePictures(tree, documents),
    describe: (ref) => {
      if (ref.kind === 'page') return { title: findPage(tree, ref.page)?.title };
      if (ref.kind === 'file') return { title: findFile(tree, ref.file)?.name };
      return undefined;
    },
  };
}

function availablePictures(tree: Tree, documents: readonly JSONDocument[]): Set<string> {
  const refs = picturesIn(documents);
  const remote = refs.filter(({ kind }) => kind === 'url').slice(0, MAX_REMOTE_PICTURES);
  const own = refs.filter(
    (ref) => ref.kind === 'file' && (findFile(tree, ref.file)?.size ?? Infinity) <= MAX_PICTURE_BYTES,
  );
  return new Set([...own, ...remote].map(pictureKey));
}
