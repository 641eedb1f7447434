import Type from 'typebox';
import { describeEmbed } from '../../content-engine/render/html/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf, requireMay } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { parseWebUrl } from '../../platform/api/value-checks.ts';
import { collections } from '../collections/index.ts';
import { members } from '../members/index.ts';
import {
  effectiveRules,
  getOrganization,
  organizations,
  requireCreateContent,
  requireReadable,
} from '../organizations/index.ts';
import { createSpaceIn } from './create.ts';
import { deleteSpace, restoreDeleted } from './delete.ts';
import * as reads from './read-store.ts';
import { moveSpaceTo } from './move.ts';
import { spaces, spacesAndDeleted, type SpaceRow } from './policy.ts';
import { findOpenedSite } from './find-opened-site.ts';
import { presentSpace } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { transferSpaceTo } from './transfer.ts';
import { withRows } from './with-rows.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const SpacePath = Type.Object({ spaceId: idOf(spaces, 'view') });
const DeletedSpacePath = Type.Object({ spaceId: idOf(spacesAndDeleted, 'view') });
const mayOnSpace = on(spaces);
const version = (space: { version: number }) => space.version;

/** A space as it is after a change of it. */
const readSpace = async (ctx: Context, id: string) =>
  presentSpace(await reads.getSpace(ctx.db, ctx.caller.id, id), ctx.caller.id, ctx.addresses);

export const listSpacesInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/spaces',
  summary: 'List the spaces of an organization',
  description:
    'Lists the spaces that you may view, in their display order: by collection, then by position. A space that is moved while ' +
    'you page through the list may appear twice or not at all. Deleted spaces are listed oldest first.',
  scope: 'space:read',
  params: OrganizationPath,
  query: schema.SpacesQuery,
  status: 200,
  response: listOf(schema.Space),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const { organization_id: organizationId } = target;
    const list = query.deleted
      ? await reads.listDeletedSpaces(ctx.db, ctx.caller.id, organizationId, page)
      : await withRows(ctx, await reads.listSpaces(ctx.db, ctx.caller.id, organizationId, page));
    return presentList(list, (row) => presentSpace(row, ctx.caller.id, ctx.addresses));
  },
});

export const listSpacesInCollectionById = operation({
  method: 'GET',
  path: '/v1/collections/{collectionId}/spaces',
  summary: 'List the spaces of a collection',
  description: 'In their display order, without the spaces of nested collections.',
  scope: 'space:read',
  params: Type.Object({ collectionId: idOf(collections, 'view') }),
  query: ListQuery,
  status: 200,
  response: listOf(schema.Space),
  access: on(collections)('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(
      await withRows(
        ctx,
        await reads.listSpacesInCollection(ctx.db, ctx.caller.id, target.collection_id, page),
      ),
      (row) => presentSpace(row, ctx.caller.id, ctx.addresses),
    ),
});

export const listSpacesForOrganizationMember = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/members/{userId}/spaces',
  summary: 'List the spaces that a member may view',
  description: 'Lists the spaces that you may view too, with the role of the member.',
  scope: 'organization:members:read',
  params: Type.Object({ organizationId, userId: idOf(members, 'view') }),
  query: schema.MemberSpacesQuery,
  status: 200,
  response: listOf(schema.MemberSpace),
  access: on(members)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const order = query.order ?? 'desc';
    const rows = await reads.listSpacesOfMember(ctx.db, ctx.caller.id, target, order, page);
    return presentList(rows, (row) => ({
      permission: row.permission,
      space: presentSpace(row, ctx.caller.id, ctx.addresses),
    }));
  },
});

export const createSpace = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/spaces',
  summary: 'Create a space',
  description:
    'Appends it to the collection `parent`, which requires the role create there, or to the root of the organization.',
  scope: 'space:write',
  params: OrganizationPath,
  body: schema.NewSpace,
  bodyOptional: true,
  status: 201,
  response: schema.Space,
  access: on(organizations)('view'),
  handle: async ({ ctx, target, body }) => {
    if (!body.parent) requireCreateContent(target, ctx.caller.id);
    const id = await createSpaceIn(ctx.db, target.organization_id, body, ctx.caller.id);
    return readSpace(ctx, id);
  },
});

export const getSpaceById = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}',
  summary: 'Get a space',
  description: 'Admins can also read a deleted space while it can be restored.',
  scope: 'space:read',
  params: DeletedSpacePath,
  query: schema.SpaceQuery,
  status: 200,
  response: schema.Space,
  access: on(spacesAndDeleted)('view'),
  version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target, query }) =>
    presentSpace(target, ctx.caller.id, ctx.addresses, await findOpenedSite(ctx, query.shareKey)),
});

export const updateSpaceById = operation({
  method: 'PATCH',
  path: '/v1/spaces/{spaceId}',
  summary: 'Update a space',
  description:
    '`editMode` requires the role create, or admin if merge rules apply. All other fields require admin.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.SpacePatch,
  status: 200,
  response: schema.Space,
  access: mayOnSpace('create'),
  version,
  handle: async ({ ctx, target, body }) => {
    const { editMode: _editMode, ...settings } = body;
    if (Object.keys(settings).length > 0) {
      requireMay(
        spaces,
        'admin',
        target,
        ctx.caller.id,
        'change settings of this space other than `editMode`',
      );
    }
    // Live edits bypass merge rules, so allowing them requires the role that changes the rules. The row is locked before the
    // rules are read, so that a concurrent request cannot change them.
    if (body.editMode !== undefined && (await hasMergeRules(ctx, target))) {
      requireMay(spaces, 'admin', target, ctx.caller.id, 'change `editMode` of a space with merge rules');
    }
    if (body.visibility === 'in-collection' && target.parent_id === null) {
      throw badRequest('Only a space in a collection can have the visibility `in-collection`.', [
        { path: 'body.visibility', rule: 'must not be in-collection at the root of an organization' },
      ]);
    }
    requireReadable(body.mergeRules);
    await store.updateSpace(ctx.db, target.space_id, body);
    return readSpace(ctx, target.space_id);
  },
});

async function hasMergeRules(ctx: Context, space: SpaceRow): Promise<boolean> {
  const own = await store.lockMergeRules(ctx.db, space.space_id);
  const organization = await getOrganization(ctx.db, ctx.caller.id, space.organization_id);
  return effectiveRules(own, organization.merge_rules).length > 0;
}

export const deleteSpaceById = operation({
  method: 'DELETE',
  path: '/v1/spaces/{spaceId}',
  summary: 'Delete a space',
  description: 'Its admins can restore it for 7 days. Then it is deleted permanently.',
  scope: 'space:write',
  params: SpacePath,
  status: 205,
  access: mayOnSpace('admin'),
  version,
  handle: ({ ctx, target }) => deleteSpace(ctx, target),
});

export const restoreSpace = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/restore',
  summary: 'Restore a deleted space',
  scope: 'space:write',
  params: DeletedSpacePath,
  status: 200,
  response: schema.Space,
  access: on(spacesAndDeleted)('admin'),
  version,
  handle: async ({ ctx, target }) => {
    await restoreDeleted(ctx, target);
    return readSpace(ctx, target.space_id);
  },
});

export const moveSpace = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/move',
  summary: 'Move a space within its organization',
  scope: 'space:write',
  params: SpacePath,
  body: schema.Move,
  status: 200,
  response: schema.Space,
  access: mayOnSpace('create'),
  version,
  handle: async ({ ctx, target, body }) => {
    await moveSpaceTo(ctx, target, body);
    return readSpace(ctx, target.space_id);
  },
});

export const transferSpace = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/transfer',
  summary: 'Transfer a space to another organization',
  description:
    'Transfers its content, history, change requests and comments. Requires admin on the space and in the new organization. ' +
    'A space that a site shows cannot be transferred: 412.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.Transfer,
  status: 200,
  response: schema.Space,
  access: mayOnSpace('admin'),
  version,
  handle: async ({ ctx, target, body }) => {
    await transferSpaceTo(ctx, target, body.organization);
    return readSpace(ctx, target.space_id);
  },
});

export const getEmbedByUrlInSpace = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}/embed',
  summary: 'Get the embed of a URL in a space',
  description: schema.EMBED_DESCRIPTION,
  scope: 'space:read',
  params: SpacePath,
  query: schema.EmbedQuery,
  status: 200,
  response: schema.Embed,
  access: mayOnSpace('view'),
  handle: async ({ query }) => describeEmbed(parseWebUrl(query.url, 'query.url')),
});
