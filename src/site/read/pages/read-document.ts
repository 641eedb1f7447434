import { documentFor, hasConditions, type Visit } from '../../../content-engine/evaluation/index.ts';
import type { JSONDocument } from '../../../content-engine/document/index.ts';
import { sizeOfText } from '../../../content-engine/size-of-text.ts';
import type { DocumentPage } from '../../../content-engine/tree/index.ts';
import { nameOf, readBody, readText, runTaskInTurn } from '../../../domains/content-store/index.ts';
import type { OpenSpace } from './open-space.ts';
import { scopeOf } from './readable-pages.ts';
import { resolverIn } from './repository-links.ts';
import type { SiteReader } from '../site-reader.ts';

/** Reads something of the document of a page, without what it includes. */
export async function readForVisitor<T>(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
  read: (document: JSONDocument) => T,
): Promise<T> {
  const visit = visitOf(reader, space, page);
  const body = await readBody(space.load, page);
  const work = { size: sizeOfText(body.text), what: nameOf(page) };
  return runTaskInTurn(space, work, () =>
    read(documentFor(body.text, resolverIn(space, page.id, body.links), visit)),
  );
}

export const visitOf = (reader: SiteReader, { tree }: OpenSpace, page: DocumentPage): Visit => ({
  scope: scopeOf(tree, page, reader.visitor.claims),
  deterministicOnly: false,
});

/** Whether what is shown of a page may depend on its visitor. May be wrongly true. */
export const dependsOnVisitor = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  hasConditions(await readText(load, document));

/** Whether a page has updates. May be wrongly true. */
export const hasUpdates = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*update\b/.test(await readText(load, document));

/** Whether a page includes reusable content. May be wrongly true. */
export const hasIncludes = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*include\b/.test(await readText(load, document));

/** Whether a page includes reusable content, or shows parts of OpenAPI specifications. May be wrongly true. */
export const hasIncludesOrParts = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*(?:include|openapi|swagger)\b/.test(await readText(load, document));

/** Opens a space that the visitor may read. Its tree is cached; do not keep those of many spaces. */
export async function openNear(
  reader: SiteReader,
  near: OpenSpace,
  spaceId: string,
): Promise<OpenSpace | undefined> {
  if (spaceId === near.siteSpace.spaceId) return near;
  const place = reader.placeOf(spaceId, near.siteSpace);
  return place && reader.open(place);
}
