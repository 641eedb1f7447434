import { resource, type Authorised, type Resource } from '../../platform/resource.ts';
import type { Role } from '../../platform/roles.ts';
import { collections } from '../collections/index.ts';
import { spaces } from '../spaces/index.ts';

export interface InviteRow extends Authorised {
  readonly organization_id: string;
  readonly invite_id: string;
  readonly email: string | null;
  /** In the organization or, where the link leads into a space or collection, there. */
  readonly invited_role: Role | null;
  readonly space_id: string | null;
  readonly collection_id: string | null;
  readonly version: number;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

const COLUMNS = `
  i.organization_id, i.id as invite_id, i.email, i.role as invited_role, i.space_id, i.collection_id, i.version,
  i.created_at, i.expires_at, i.kind`;

/** A link into a deleted space leads nowhere, until it is restored. */
export const LEADS_SOMEWHERE =
  'not exists (select from spaces gone where gone.id = i.space_id and gone.deleted_at is not null)';

/** Open invitations into an organization, for its admins. */
const intoOrganization = `
  select ${COLUMNS}, mine.role
  from members mine join invites i on i.organization_id = mine.organization_id
  where mine.user_id = caller.id and not mine.disabled and mine.role = 'admin' and i.accepted_at is null
    and ${LEADS_SOMEWHERE}`;

/** Links into a space or collection, for its admins. */
const into = (subject: Resource) => `
  select ${COLUMNS}, subject.role
  from (${subject.rows}) subject join invites i on i.${subject.key} = subject.${subject.key}
  where subject.role = 'admin' and i.accepted_at is null`;

const needs = { view: 'admin', admin: 'admin' } as const;

/** Links that let in everybody who has them. */
export const linkInvites = resource<InviteRow>()({
  name: 'Invite link',
  key: 'invite_id',
  rows: `
    select * from (${intoOrganization} union ${into(spaces)} union ${into(collections)}) i where i.kind = 'link'`,
  match: 'i.invite_id = any(:ids)',
  needs,
});

/** Invitations by e-mail that nobody has accepted yet. */
export const emailInvites = resource<InviteRow>()({
  name: 'Invite',
  key: 'invite_id',
  rows: `${intoOrganization} and i.kind = 'email'`,
  match: 'i.id = any(:ids)',
  needs,
});

/**
 * What the caller can join by: a link they know, or an invitation to their own, proven address. One that they have used
 * is still theirs to see: whoever repeats a request is told so.
 */
export const joinableInvites = resource<InviteRow>()({
  name: 'Invitation',
  key: 'invite_id',
  rows: `
    select ${COLUMNS}, 'read'::role as role
    from users u, invites i join organizations o on o.id = i.organization_id
    where u.id = caller.id and (i.expires_at is null or i.expires_at > now()) and ${LEADS_SOMEWHERE}
      and (i.kind = 'link' and o.invite_links
        or i.kind = 'email' and i.email = u.email and u.email_proven_at is not null)`,
  match: 'i.id = any(:ids)',
  needs: { join: 'read' },
  isOpen: true,
});
