import { documentFor, type Visit } from '../../content-engine/evaluation/index.ts';
import type { JSONDocument } from '../../content-engine/document/index.ts';
import { joinJson } from '../../content-engine/json-parts.ts';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import type { DocumentPage } from '../../content-engine/tree/index.ts';
import { isLarge, nameOf, readBody, readText, targetsOf } from '../../domains/revisions/index.ts';
import { inSlices } from '../../platform/threads/slices.ts';
import type { OpenSpace } from './open-space.ts';
import { scopeOf } from './readable-pages.ts';
import { resolverIn } from './repository-links.ts';
import type { SiteReader } from './site-reader.ts';

/** The document of a page, without what it includes. */
export async function readDocument(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
): Promise<JSONDocument> {
  const visit = visitOf(reader, space, page);
  const body = await readBody(space.load, page);
  const work = { size: sizeOfText(body.text), what: nameOf(page) };
  const resolve = resolverIn(space, page.id, body.links);
  if (!isLarge(work.size)) return space.engine.here(work.what, () => documentFor(body.text, resolve, visit));
  const targets = await targetsOf(space, page, body, resolve);
  const json = await space.engine.run('documentFor', { text: body.text, targets, visit }, work);
  return (await inSlices(joinJson(json))) as JSONDocument;
}

export const visitOf = (reader: SiteReader, { tree }: OpenSpace, page: DocumentPage): Visit => ({
  scope: scopeOf(tree, page, reader.visitor.claims),
  deterministicOnly: false,
});

/** Whether what is shown of a page may depend on its visitor. May be wrongly true. */
export const dependsOnVisitor = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*if|expression/i.test(await readText(load, document));

/** Whether a page includes reusable content. May be wrongly true. */
export const hasIncludes = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*include\b/.test(await readText(load, document));

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
