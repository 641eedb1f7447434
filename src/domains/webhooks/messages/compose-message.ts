import { readRows } from '../../../platform/access/read-rows.ts';
import type { Addresses, Context } from '../../../platform/api/context.ts';
import { may } from '../../../platform/api/resource.ts';
import { findSpec, presentSpec } from '../../openapi-specs/index.ts';
import { presentSite, sites } from '../../sites/index.ts';
import { presentSpace, spaces } from '../../spaces/index.ts';
import type { RecordedEvent } from '../policy.ts';
import { publishedEvent } from './policy.ts';

export interface Message {
  readonly type: string;
  readonly id: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Composed extends RecordedEvent {
  readonly webhook_delivery_id: string;
  readonly webhook_id: string;
  readonly organization_id: string;
}

/**
 * The message of an event for the caller: the one place that decides what of it they may receive, when it is sent and when
 * the log shows it. Undefined: they may not view what it is about.
 */
export async function composeMessage(ctx: Context, event: Composed): Promise<Message | undefined> {
  const data = await dataFor(ctx, event);
  return (
    data && {
      type: event.type,
      id: event.webhook_delivery_id,
      timestamp: event.occurred_at.toISOString(),
      data: { organizationId: event.organization_id, ...data },
    }
  );
}

type Data = Readonly<Record<string, unknown>>;

async function dataFor(ctx: Context, event: Composed): Promise<Data | undefined> {
  const { organization_id: organizationId, webhook_id: webhookId, data } = event;
  const organization = ctx.addresses.of(`/v1/orgs/${organizationId}`);
  const published = publishedEvent(event.type);
  if (!published)
    return { webhookId, urls: { organization, webhook: `${organization}/webhooks/${webhookId}` } };
  const sent = Object.fromEntries(published.members.map((name) => [name, data[name] ?? null]));
  if (published.about === 'specification') {
    const spec = await findSpec(ctx.db, ctx.caller.id, organizationId, String(data['slug']));
    return spec && { ...sent, urls: { organization, ...presentSpec(ctx, spec).urls } };
  }
  const space = await findSpace(ctx, event);
  if (published.about === 'site') {
    const site = await findSite(ctx, organizationId, String(data['siteId']));
    if (!site || !may(sites, published.action, site, ctx.caller.id)) return undefined;
    // Its admins may not view every space that it shows.
    const shown = space && { spaceId: space.space_id };
    const { location, app, published: shownAt } = presentSite(site, ctx).urls;
    return { ...sent, ...shown, urls: { organization, site: location, app, published: shownAt } };
  }
  if (!space || !may(spaces, published.action, space, ctx.caller.id)) return undefined;
  const { location, app, published: shownAt } = presentSpace(space, ctx.caller.id, ctx.addresses).urls;
  const urls = { organization, space: location, ...urlsInside(location, sent, published.deleted) };
  return {
    spaceId: space.space_id,
    ...sent,
    urls: { ...urls, app: appUrl(ctx.addresses, space.space_id, sent) ?? app, published: shownAt },
  };
}

async function findSpace(ctx: Context, { space_id: id, organization_id: organizationId }: Composed) {
  const space = id === null ? undefined : (await readRows(ctx, spaces, [id])).get(id);
  return space?.organization_id === organizationId ? space : undefined;
}

async function findSite(ctx: Context, organizationId: string, id: string) {
  const site = (await readRows(ctx, sites, [id])).get(id);
  return site?.organization_id === organizationId ? site : undefined;
}

/** URLs of the API for the ids of an event. */
function urlsInside(space: string, sent: Data, deleted: 'comment' | 'commentReply' | undefined) {
  const inside = (parent: string | undefined, segment: string, id: unknown) =>
    parent !== undefined && typeof id === 'string' ? `${parent}/${segment}/${id}` : undefined;
  const changeRequest = inside(space, 'change-requests', sent['changeRequestId']);
  const comment =
    deleted === 'comment' ? undefined : inside(changeRequest ?? space, 'comments', sent['commentId']);
  return {
    changeRequest,
    comment,
    commentReply: deleted === 'commentReply' ? undefined : inside(comment, 'replies', sent['commentReplyId']),
    review: inside(changeRequest, 'reviews', sent['reviewId']),
    revision: inside(space, 'revisions', sent['revisionId']),
    gitOperation: inside(space, 'git/operations', sent['operationId']),
  };
}

const appUrl = (addresses: Addresses, spaceId: string, { changeRequestId: id }: Data) =>
  typeof id === 'string' ? addresses.of(`/app/spaces/${spaceId}/change-requests/${id}`) : undefined;
