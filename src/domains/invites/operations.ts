import Type from 'typebox';
import type { Addresses, Context } from '../../platform/api/context.ts';
import { badRequest, conflict } from '../../platform/api/errors.ts';
import { on, operation } from '../../platform/api/operation.ts';
import { requireFuture } from '../../platform/api/value-checks.ts';
import { presentList, type PageRequest } from '../../platform/api/pagination.ts';
import { idOf, requireMay } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { findCollections } from '../collections/index.ts';
import { organizations } from '../organizations/index.ts';
import { normaliseEmail } from '../users/index.ts';
import { findSpaces } from '../spaces/index.ts';
import { grantAccess } from './grant-access.ts';
import { invite } from './invite.ts';
import { emailInvites, joinableInvites, linkInvites, type InviteRow } from './policy.ts';
import {
  leadsInside,
  presentEmailInvite,
  presentInviteLink,
  presentListedLink,
  type Inside,
} from './present.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const organizationId = idOf(organizations, 'view');
const OrganizationPath = Type.Object({ organizationId });
const LinkPath = Type.Object({ organizationId, inviteId: idOf(linkInvites, 'view') });
const ORGANIZATION = { space_id: null, collection_id: null };
const mayOnOrganization = on(organizations);
const mayOnLink = on(linkInvites);
const mayOnEmailInvite = on(emailInvites);

export const inviteUsersToOrganization = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/invites',
  summary: 'Invite people by e-mail',
  description:
    'Sends each address a one-time link, or returns the links in `links` if this installation sends no mail. Invited people ' +
    'join when they accept. The response does not reveal whether an address has an account. Default for `role`: the ' +
    'default role of the organization.',
  scope: 'organization:members:write',
  params: OrganizationPath,
  body: schema.NewEmailInvites,
  status: 200,
  response: schema.InvitedPeople,
  access: mayOnOrganization('admin'),
  handle: async ({ ctx, target, body }) => {
    if (body.sso) throw conflict('Add an SSO provider first. Without one, no user could sign in.');
    const fallback = body.role === undefined ? target.default_role : body.role;
    const links: { email: string; url: string }[] = [];
    const entries = body.emails.map((entry) =>
      typeof entry === 'string' ? { email: entry, role: fallback } : entry,
    );
    // Each address once, with its last role: a second invitation would invalidate the link of the first.
    for (const { email, role } of new Map(
      entries.map((entry) => [normaliseEmail(entry.email), entry]),
    ).values()) {
      const url = await invite(ctx, {
        organizationId: target.organization_id,
        organizationTitle: target.title,
        email: normaliseEmail(email),
        role,
        into: ORGANIZATION,
        invitedBy: ctx.caller.id,
        linkId: null,
      });
      links.push({ email, url });
    }
    return { users: [], invited: links.length, ...(ctx.settings.mail ? {} : { links }) };
  },
});

export const listOrganizationEmailInvites = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/invites',
  summary: 'List the pending e-mail invitations of an organization',
  description:
    'Lists the invitations to the organization, its spaces and collections of which you are an admin, oldest first. A scoped ' +
    'token needs `space:permissions:read` to list invitations to spaces and collections.',
  scope: 'organization:members:read',
  params: OrganizationPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.EmailInvite),
  access: mayOnOrganization('view'),
  handle: ({ ctx, target, page }) =>
    answerInvites(ctx, emailInvites, target.organization_id, page, presentEmailInvite),
});

export const deleteOrganizationEmailInvite = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/invites/{inviteId}',
  summary: 'Delete an e-mail invitation',
  scope: 'organization:members:write',
  params: Type.Object({ organizationId, inviteId: idOf(emailInvites, 'view') }),
  status: 205,
  access: mayOnEmailInvite('admin'),
  version: (invite) => invite.version,
  handle: async ({ ctx, target }) => {
    await store.deleteInvite(ctx.db, target.invite_id);
  },
});

export const joinOrganizationWithInvite = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/invites/{inviteId}',
  summary: 'Join an organization with an invitation',
  description:
    'Accepts the id of an invite link, or of an invitation to your own verified address. Members keep their role.',
  scope: null,
  params: Type.Object({ organizationId, inviteId: idOf(joinableInvites, 'join') }),
  status: 200,
  response: Type.Object({}),
  access: on(joinableInvites)('join'),
  handle: async ({ ctx, target }) => {
    if (target.email !== null && !(await store.acceptInvite(ctx.db, target.invite_id))) {
      throw conflict('This invitation has already been used.');
    }
    await grantAccess(ctx.db, { ...target, role: target.invited_role }, ctx.caller.id);
    return {};
  },
});

export const listOrganizationInviteLinks = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/link-invites',
  summary: 'List the invite links of an organization',
  description:
    'Lists the links to the organization, its spaces and collections of which you are an admin, oldest first. A scoped token ' +
    'needs `space:permissions:read` to list links to spaces and collections.',
  scope: 'organization:members:read',
  params: OrganizationPath,
  query: ListQuery,
  status: 200,
  response: listOf(schema.InviteLink),
  access: mayOnOrganization('view'),
  handle: ({ ctx, target, page }) =>
    answerInvites(ctx, linkInvites, target.organization_id, page, presentListedLink),
});

async function answerInvites<T>(
  ctx: Context,
  invites: typeof linkInvites | typeof emailInvites,
  organizationId: string,
  page: PageRequest,
  present: (row: InviteRow, inside: Inside, callerId: string, addresses: Addresses) => T,
) {
  const { id: callerId, scopes } = ctx.caller;
  const withInside = !scopes || scopes.includes('space:permissions:read');
  const found = await store.listInvites(ctx.db, invites, callerId, organizationId, withInside, page);
  const insideOf = await findInside(ctx, found.rows);
  return presentList(found, (row) => present(row, insideOf(row), callerId, ctx.addresses));
}

export const createOrganizationInvite = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/link-invites',
  summary: 'Create an invite link',
  description:
    'Anyone with the link can join with its role. The link stops working when it expires or is deleted, when `inviteLinks` is ' +
    'off, or when its creator may no longer create it. Requires admin of the organization; for a link to a space or ' +
    'collection, admin there, and the scope `space:permissions:write`.',
  scope: 'organization:members:write',
  params: OrganizationPath,
  body: schema.NewInviteLink,
  status: 201,
  response: schema.InviteLink,
  access: mayOnOrganization('view'),
  handle: async ({ ctx, target, body }) => {
    if ('role' in body)
      requireMay(organizations, 'admin', target, ctx.caller.id, 'invite users to this organization');
    if (!target.invite_links)
      throw conflict('Invite links are disabled in this organization (`inviteLinks`).');
    requireFuture(ctx.now(), body.expiresAt, 'body.expiresAt');
    const id = await store.insertLinkInvite(ctx.db, {
      organizationId: target.organization_id,
      role: 'role' in body ? body.role : body.level,
      invitedBy: ctx.caller.id,
      into: {
        space_id: ('space' in body && body.space) || null,
        collection_id: ('collection' in body && body.collection) || null,
      },
      expiresAt: body.expiresAt,
    });
    return answerLink(ctx, await store.getLinkInvite(ctx.db, ctx.caller.id, id));
  },
});

/** Presents a link with its space or collection. */
async function answerLink(ctx: Context, row: InviteRow) {
  const insideOf = await findInside(ctx, [row]);
  return presentInviteLink(row, insideOf(row), ctx.caller.id, ctx.addresses);
}

async function findInside({ db, caller }: Context, rows: readonly InviteRow[]) {
  const spaces = await findSpaces(
    db,
    caller.id,
    rows.flatMap((row) => row.space_id ?? []),
  );
  const collections = await findCollections(
    db,
    caller.id,
    rows.flatMap((row) => row.collection_id ?? []),
  );
  return (row: InviteRow): Inside => ({
    space: spaces.get(row.space_id ?? ''),
    collection: collections.get(row.collection_id ?? ''),
  });
}

export const getOrganizationInviteLink = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Get an invite link',
  scope: 'organization:members:read',
  params: LinkPath,
  status: 200,
  response: schema.InviteLink,
  access: mayOnLink('view'),
  version: (link) => link.version,
  handle: ({ ctx, target }) => answerLink(ctx, target),
});

export const updateOrganizationInviteById = operation({
  method: 'PATCH',
  path: '/v1/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Update an invite link',
  description:
    'Changes the expiry and the role: `role` of a link to the organization, `level` of a link to a space or collection.',
  scope: 'organization:members:write',
  params: LinkPath,
  body: schema.InviteLinkPatch,
  status: 200,
  response: schema.InviteLink,
  access: mayOnLink('admin'),
  version: (link) => link.version,
  handle: async ({ ctx, target, body }) => {
    const isInside = leadsInside(target);
    if (isInside !== 'level' in body) {
      throw badRequest(
        isInside ? 'Send `level` instead: this link is for a space or collection.' : 'Give `role`.',
      );
    }
    requireFuture(ctx.now(), body.expiresAt, 'body.expiresAt');
    const role = 'role' in body ? body.role : body.level;
    await store.updateLinkInvite(ctx.db, target.invite_id, { role, expiresAt: body.expiresAt });
    return answerLink(ctx, await store.getLinkInvite(ctx.db, ctx.caller.id, target.invite_id));
  },
});

export const deleteOrganizationInviteById = operation({
  method: 'DELETE',
  path: '/v1/orgs/{organizationId}/link-invites/{inviteId}',
  summary: 'Delete an invite link',
  scope: 'organization:members:write',
  params: LinkPath,
  status: 205,
  access: mayOnLink('admin'),
  version: (link) => link.version,
  handle: async ({ ctx, target }) => {
    await store.deleteInvite(ctx.db, target.invite_id);
  },
});
