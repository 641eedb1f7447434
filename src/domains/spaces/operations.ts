import Type from 'typebox';
import type { Context } from '../../platform/api/context.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf, requireMay } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
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
import { moveSpaceTo } from './move.ts';
import { spaces, spacesAndDeleted, type SpaceRow } from './policy.ts';
import { presentSpace } from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';
import { transferSpaceTo } from './transfer.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const SpacePath = Type.Object({ spaceId: idOf(spaces, 'view') });
const DeletedSpacePath = Type.Object({ spaceId: idOf(spacesAndDeleted, 'view') });
const mayOnSpace = on(spaces);
const version = (space: { version: number }) => space.version;

export const listSpacesInOrganizationById = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/spaces',
  summary: 'List the spaces of an organization',
  description:
    'Those you may view, in the order that people gave them: by collection, and by position in it. What is moved ' +
    'while you page may be listed twice or not at all. Deleted ones are in the order they were created.',
  scope: 'space:read',
  params: OrganizationPath,
  query: schema.SpacesQuery,
  status: 200,
  response: listOf(schema.Space),
  access: on(organizations)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const deleted = query.deleted ?? false;
    const rows = await store.listSpaces(ctx.db, ctx.caller.id, target.organization_id, deleted, page);
    return presentList(rows, (row) => presentSpace(row, ctx.caller.id, ctx.addresses));
  },
});

export const listSpacesInCollectionById = operation({
  method: 'GET',
  path: '/v1/collections/{collectionId}/spaces',
  summary: 'List the spaces of a collection',
  description: 'Its own, not those of collections inside it, in their order.',
  scope: 'space:read',
  params: Type.Object({ collectionId: idOf(collections, 'view') }),
  query: ListQuery,
  status: 200,
  response: listOf(schema.Space),
  access: on(collections)('view'),
  handle: async ({ ctx, target, page }) =>
    presentList(
      await store.listSpacesInCollection(ctx.db, ctx.caller.id, target.collection_id, page),
      (row) => presentSpace(row, ctx.caller.id, ctx.addresses),
    ),
});

export const listSpacesForOrganizationMember = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/members/{userId}/spaces',
  summary: 'List the spaces that a member may view',
  description: 'Of those that you may view, with the role the member has there.',
  scope: 'organization:members:read',
  params: Type.Object({ organizationId, userId: idOf(members, 'view') }),
  query: schema.MemberSpacesQuery,
  status: 200,
  response: listOf(schema.MemberSpace),
  access: on(members)('view'),
  handle: async ({ ctx, target, query, page }) => {
    const order = query.order ?? 'desc';
    const rows = await store.listSpacesOfMember(ctx.db, ctx.caller.id, target, order, page);
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
  description: 'At the end of `parent`, which you may create in; without it, of the organization.',
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
    return presentSpace(await store.getSpace(ctx.db, ctx.caller.id, id), ctx.caller.id, ctx.addresses);
  },
});

export const getSpaceById = operation({
  method: 'GET',
  path: '/v1/spaces/{spaceId}',
  summary: 'Get a space',
  description: 'A deleted one too, for its admins, while it can be restored.',
  scope: 'space:read',
  params: DeletedSpacePath,
  query: schema.SpaceQuery,
  status: 200,
  response: schema.Space,
  access: on(spacesAndDeleted)('view'),
  version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentSpace(target, ctx.caller.id, ctx.addresses),
});

export const updateSpaceById = operation({
  method: 'PATCH',
  path: '/v1/spaces/{spaceId}',
  summary: 'Update a space',
  description: '`editMode` needs the role create, and admin where merge rules apply; everything else admin.',
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
    // Live edits pass no merge rules: only who could change the rules may allow them.
    if (body.editMode !== undefined && (await hasMergeRules(ctx, target))) {
      requireMay(spaces, 'admin', target, ctx.caller.id, 'change `editMode` of a space with merge rules');
    }
    if (body.visibility === 'in-collection' && target.parent_id === null) {
      throw badRequest('Only a space inside a collection can be visible as that is.', [
        { path: 'body.visibility', rule: 'must not be in-collection at the root of an organization' },
      ]);
    }
    requireReadable(body.mergeRules);
    await store.updateSpace(ctx.db, target.space_id, body);
    return presentSpace(
      await store.getSpace(ctx.db, ctx.caller.id, target.space_id),
      ctx.caller.id,
      ctx.addresses,
    );
  },
});

async function hasMergeRules(ctx: Context, space: SpaceRow): Promise<boolean> {
  const organization = await getOrganization(ctx.db, ctx.caller.id, space.organization_id);
  return effectiveRules(space.merge_rules, organization.merge_rules).length > 0;
}

export const deleteSpaceById = operation({
  method: 'DELETE',
  path: '/v1/spaces/{spaceId}',
  summary: 'Delete a space',
  description: 'Its admins can restore it for 7 days; then it is gone for good.',
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
    return presentSpace(
      await store.getSpace(ctx.db, ctx.caller.id, target.space_id),
      ctx.caller.id,
      ctx.addresses,
    );
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
    return presentSpace(
      await store.getSpace(ctx.db, ctx.caller.id, target.space_id),
      ctx.caller.id,
      ctx.addresses,
    );
  },
});

export const transferSpace = operation({
  method: 'POST',
  path: '/v1/spaces/{spaceId}/transfer',
  summary: 'Transfer a space to another organization',
  description: 'With its content, history, change requests and comments. Needs admin on both sides.',
  scope: 'space:write',
  params: SpacePath,
  body: schema.Transfer,
  status: 200,
  response: schema.Space,
  access: mayOnSpace('admin'),
  version,
  handle: async ({ ctx, target, body }) => {
    await transferSpaceTo(ctx, target, body.organization);
    return presentSpace(
      await store.getSpace(ctx.db, ctx.caller.id, target.space_id),
      ctx.caller.id,
      ctx.addresses,
    );
  },
});
