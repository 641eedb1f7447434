import { COLLECTION, effectiveRole, resource, SPACE, type Authorised, type Role } from '../access/index.ts';

export interface InviteRow extends Authorised {
  readonly organization_id: string;
  readonly invite_id: string;
  readonly email: string | null;
  /** The role in the organization or, if the link is for a space or collection, there. */
  readonly invited_role: Role | null;
  readonly space_id: string | null;
  readonly collection_id: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly is_active: boolean;
}

/** The role of the member `mine` on the target of the invitation `i`. */
const ROLE_THERE = `
  case
    when i.space_id is not null then (
      select ${effectiveRole(SPACE)} from spaces s left join collections c on c.id = s.parent_id
      where s.id = i.space_id and s.deleted_at is null)
    when i.collection_id is not null then (
      select ${effectiveRole(COLLECTION)} from collections c where c.id = i.collection_id)
    else mine.role end`;

/** When the invitation in this row ends. A mail that was requested with an invite link ends with the link. */
export const endOf = (row: string): string =>
  `least(${row}.expires_at, (select link.expires_at from invites link where link.id = ${row}.link_id))`;

/**
 * Whether the invitation `i` can be accepted, if it has not been. It is invalid once its creator could no longer create
 * it. This is evaluated at each use, so that every loss of the role counts. A deleted space gives no role.
 */
export const IS_ACTIVE = `(
  ${endOf('i')} > now()
  and exists (
    select from members mine
    where mine.organization_id = i.organization_id and mine.user_id = i.invited_by and not mine.disabled
      and (${ROLE_THERE}) = 'admin')
  and (i.kind = 'email' and i.link_id is null
    or exists (select from organizations o where o.id = i.organization_id and o.invite_links)))`;

const COLUMNS = `
  i.organization_id, i.id as invite_id, i.email, i.role as invited_role, i.space_id, i.collection_id, i.version,
  i.created_at, ${endOf('i')} as expires_at, ${IS_ACTIVE} as is_active`;

/** Invitations of the organizations that the caller belongs to, not accepted yet. */
const OPEN = `
  select ${COLUMNS}, 'admin'::role as role
  from members mine join invites i on i.organization_id = mine.organization_id
  where mine.user_id = caller.id and not mine.disabled and i.accepted_at is null`;

const needs = { view: 'admin', admin: 'admin' } as const;

/** The scope of an invitation to a space or collection. */
const scope = (row: InviteRow, action: keyof typeof needs) =>
  row.space_id === null && row.collection_id === null
    ? undefined
    : action === 'view'
      ? 'space:permissions:read'
      : 'space:permissions:write';

/** Links that any number of people can use, for admins of their target. */
export const linkInvites = resource<InviteRow>()({
  name: 'Invite link',
  key: 'invite_id',
  rows: `${OPEN} and i.kind = 'link' and (${ROLE_THERE}) = 'admin'`,
  match: 'i.id = any(:ids)',
  needs,
  scope,
});

/** Invitations by e-mail, for admins of their target and, also if that is deleted, of the organization. */
export const emailInvites = resource<InviteRow>()({
  name: 'Invite',
  key: 'invite_id',
  rows: `${OPEN} and i.kind = 'email' and (mine.role = 'admin' or (${ROLE_THERE}) = 'admin')`,
  match: 'i.id = any(:ids)',
  needs,
  scope,
});

/**
 * Invitations that the caller can accept: a link, or an invitation to their own, proven address. Used ones remain
 * visible to them, so that a repeated request gets a clear answer.
 */
export const joinableInvites = resource<InviteRow>()({
  name: 'Invitation',
  key: 'invite_id',
  rows: `
    select ${COLUMNS}, 'read'::role as role
    from users u, invites i
    where u.id = caller.id and ${IS_ACTIVE}
      and (i.kind = 'link' or i.email = u.email and u.email_proven_at is not null)`,
  match: 'i.id = any(:ids)',
  needs: { join: 'read' },
  isOpen: true,
});
