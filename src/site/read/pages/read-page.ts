import {
  readOpenAPIParts,
  type OpenAPIParts,
  documentFor,
  expandIncludes,
  inSpace,
  publishedJson,
  referencesIn,
  refKey,
  reusableKey,
  type References,
  type Visit,
} from '../../../content-engine/evaluation/index.ts';
import type { JSONDocument } from '../../../content-engine/document/index.ts';
import { sizeOfText, totalOf, type Size } from '../../../content-engine/size-of-text.ts';
import { findFile, findReusableContent, type DocumentPage } from '../../../content-engine/tree/index.ts';
import {
  nameOf,
  readBody,
  readText,
  runTaskInTurn,
  type WithBody,
  type Work,
} from '../../../domains/content-store/index.ts';
import { storageName } from '../../../domains/content/index.ts';
import { requireSmall } from '../../../platform/api/too-large-here.ts';
import type { OpenSpace } from './open-space.ts';
import type { Revisions } from './other-spaces.ts';
import { SPECIFICATIONS } from '../published-site.ts';
import { openNear, visitOf } from './read-document.ts';
import { resolverIn } from './repository-links.ts';
import type { SiteReader } from '../site-reader.ts';

/** A page as a visitor sees it, with everything that it refers to. */
export interface ReadPage {
  readonly content: PageContent;
  readonly work: Work;
  /** The references of the page and of the contents that it includes. */
  readonly references: References;
  /** The revisions of the spaces of the page and of the contents that it includes. */
  readonly revisions: Revisions;
}

export interface PageContent {
  readonly document: JSONDocument;
  /** Reusable contents that it includes, by `reusableKey`. */
  readonly includedDocuments: ReadonlyMap<string, JSONDocument>;
  /** Parts of specifications; undefined if it shows none. */
  readonly openapi: OpenAPIParts | undefined;
}

/** The document of a page with what it includes. */
export const expandedPage = (
  { document, includedDocuments }: PageContent,
  { siteSpace: { spaceId } }: OpenSpace,
): JSONDocument => expandIncludes(document, (ref) => includedDocuments.get(reusableKey(spaceId, ref)));

/** A page with what it includes, as document JSON of the public API. */
export async function documentJson(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
): Promise<Uint8Array> {
  const { content, work } = await readPage(reader, space, page);
  return runTaskInTurn(space, work, () => publishedJson(expandedPage(content, space)));
}

/** Reusable contents of one page, those inside others included. What exceeds it is left out, but the first is not. */
const MAX_INCLUDED = 200;
const MAX_INCLUDED_SIZE = 2_000_000;

export async function readPage(reader: SiteReader, space: OpenSpace, page: DocumentPage): Promise<ReadPage> {
  const { spaceId } = space.siteSpace;
  const visit = visitOf(reader, space, page);
  const revisions = new Map([[spaceId, space.siteSpace.revisionId]]);
  const own = await readPart(space, page, visit, undefined);
  const included = new Map<string, Part>();
  let left = MAX_INCLUDED_SIZE;
  for (const queue = [own]; queue.length > 0;) {
    for (const ref of (queue.shift() as Part).references.refs) {
      if (ref.kind !== 'reusable-content') continue;
      const key = reusableKey(spaceId, ref);
      if (included.has(key) || included.size >= MAX_INCLUDED || left < 0) continue;
      const id = ref.space ?? spaceId;
      const target = await openNear(reader, space, id);
      if (!target) continue;
      revisions.set(id, target.siteSpace.revisionId);
      const content = findReusableContent(target.tree, ref.reusableContent);
      if (!content) continue;
      left -= sizeOfText(await readText(target.load, content.document));
      if (left < 0 && included.size > 0) continue;
      const part = await readPart(target, content, visit, id);
      included.set(key, part);
      requireSmall(space, 'text', totalOf([own, ...included.values()].map(({ size }) => size)));
      queue.push(part);
    }
  }
  const parts = [own, ...included.values()];
  const work = { size: totalOf(parts.map(({ size }) => size)), what: nameOf(page) };
  const includedDocuments = new Map(Array.from(included, ([key, { document }]) => [key, document]));
  const documents = [own.document, ...includedDocuments.values()];
  const openapi = await readOpenAPIParts(documents, (wanted) =>
    reader.readParts(wanted, async ({ file: fileId, space: id = spaceId }) => {
      const target = await openNear(reader, space, id);
      if (target) revisions.set(id, target.siteSpace.revisionId);
      const file = target && findFile(target.tree, fileId);
      return file && !file.unlisted
        ? { stored: storageName(file.hash), name: file.name, size: file.size }
        : undefined;
    }),
  );
  if (openapi) {
    requireSmall(space, 'openapi', openapi.size);
    revisions.set(SPECIFICATIONS, reader.site.specifications);
  }
  const content = { document: own.document, includedDocuments, openapi };
  return { content, work, references: joinReferences(parts), revisions };
}

/** A page, or reusable content that it includes. */
interface Part {
  readonly size: Size;
  readonly document: JSONDocument;
  readonly references: References;
}

async function readPart(
  space: OpenSpace,
  record: WithBody,
  visit: Visit,
  spaceId: string | undefined,
): Promise<Part> {
  const body = await readBody(space.load, record);
  const work = { size: sizeOfText(body.text), what: nameOf(record) };
  const resolve = resolverIn(space, record.id, body.links);
  return runTaskInTurn(space, work, () => {
    const read = documentFor(body.text, resolve, visit);
    const document = spaceId === undefined ? read : inSpace(read, spaceId);
    return { size: work.size, document, references: referencesIn(document) };
  });
}

function joinReferences(parts: readonly Part[]): References {
  const [only] = parts;
  if (only && parts.length === 1) return only.references;
  const refs = parts.flatMap(({ references }) => references.refs);
  return {
    refs: [...new Map(refs.map((ref) => [refKey(ref), ref])).values()],
    icons: [...new Set(parts.flatMap(({ references }) => references.icons))],
  };
}
