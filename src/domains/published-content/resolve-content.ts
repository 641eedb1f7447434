import { findPage } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { notFound } from '../../platform/api/errors.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { siteAddresses } from '../../site/read/addresses.ts';
import { locate } from '../../site/read/locate.ts';
import { openPreview } from '../../site/read/preview.ts';
import { siteReader } from '../../site/read/site-reader.ts';
import { previewVisitor } from '../../site/read/visitor.ts';
import { findChangeRequest, presentChangeRequest, type RequestContentRow } from '../change-requests/index.ts';
import { findCollections, presentCollection } from '../collections/index.ts';
import { readTree } from '../content-store/index.ts';
import { presentPage, type ContentRow } from '../revisions/index.ts';
import { findSpaces, presentSpace } from '../spaces/index.ts';
import { findAddress, pathOnService } from './find-address.ts';
import { findRequest, findRequestByNumber, findRevision } from './store.ts';

const unresolved = () => notFound('Content at this URL');

/** The content of a URL. Its ids are not yet authorised. */
interface Identified {
  readonly spaceId: string;
  readonly requestId?: string | undefined;
  readonly requestNumber?: string | undefined;
  readonly pageId?: string | undefined;
}

const COLLECTION = /^\/app\/collections\/(\w+)\/?$/;
const SPACE = /^\/app\/spaces\/(\w+)(?:\/change-requests\/(\w+))?(?:\/pages\/(\w+))?\/?$/;

/** The collection, space, change request and page that a URL of the service or of a site leads to, as the caller may view them. */
export async function resolveContent(ctx: Context, text: string) {
  const { db, caller, addresses } = ctx;
  const url = parseWebUrl(text, 'query.url');
  const path = pathOnService(ctx, url) ?? '';
  const collectionId = COLLECTION.exec(path)?.[1];
  if (collectionId !== undefined) {
    const collection = (await findCollections(db, caller.id, [collectionId])).get(collectionId);
    if (!collection) throw unresolved();
    return { collection: presentCollection(collection, caller.id, addresses) };
  }
  const [, spaceId, requestId, pageId] = SPACE.exec(path) ?? [];
  const found = spaceId === undefined ? await onSite(ctx, url) : { spaceId, requestId, pageId };
  return present(ctx, found);
}

/** A page of a site that the caller may view, whatever its visitors may read. */
async function onSite(ctx: Context, url: URL): Promise<Identified> {
  const address = await findAddress(ctx, url);
  const visitor = previewVisitor(ctx.caller);
  const served = address && (await openPreview(ctx, address.served, visitor));
  if (!served) throw unresolved();
  const reader = await siteReader(ctx, served.site, visitor);
  const addresses = siteAddresses(ctx.addresses, reader, served.basePath, served.preview);
  let located = await locate(ctx, reader, addresses, served.path);
  if (located.kind === 'redirect')
    located = await locate(ctx, reader, addresses, located.href.slice(served.basePath.length));
  if (located.kind !== 'page') throw unresolved();
  const { siteSpaceId, segments } = served.preview;
  const [, kind, id] = siteSpaceId === located.space.siteSpace.id ? segments : [];
  return {
    spaceId: located.space.siteSpace.spaceId,
    requestNumber: kind === 'changes' ? id : undefined,
    pageId: located.page.id,
  };
}

async function present(ctx: Context, { spaceId, requestId, requestNumber, pageId }: Identified) {
  const { db, caller, addresses } = ctx;
  const space = (await findSpaces(db, caller.id, [spaceId])).get(spaceId);
  if (!space) throw unresolved();
  const isRequest = requestId !== undefined || requestNumber !== undefined;
  const content = await contentOf(ctx, space, { spaceId, requestId, requestNumber });
  const request =
    content && 'change_request_id' in content
      ? await findChangeRequest(db, caller.id, content.change_request_id)
      : undefined;
  if (isRequest && !request) throw unresolved();
  const answer = {
    space: presentSpace(space, caller.id, addresses),
    ...(request && { changeRequest: presentChangeRequest(request, addresses) }),
  };
  if (pageId === undefined) return answer;
  const tree = content && (await readTree(ctx, content));
  const page = tree && findPage(tree, pageId);
  if (!tree || (page?.type !== 'document' && page?.type !== 'group')) throw unresolved();
  const shown = { row: content, tree, addresses, keys: ctx.keys, computed: true };
  return { ...answer, page: presentPage(shown, page) };
}

function contentOf(
  { db, caller }: Context,
  { revision_id: revisionId }: { readonly revision_id: string },
  { spaceId, requestId, requestNumber }: Identified,
): Promise<RequestContentRow | ContentRow | undefined> {
  if (requestNumber !== undefined) return findRequestByNumber(db, caller.id, spaceId, requestNumber);
  if (requestId !== undefined) return findRequest(db, caller.id, spaceId, requestId);
  return findRevision(db, caller.id, spaceId, revisionId);
}
