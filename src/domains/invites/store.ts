import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visible } from '../../platform/database/visible.ts';
import { newId } from '../../platform/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/pagination.ts';
import type { Role } from '../../platform/roles.ts';
import type { Subject } from '../grants/index.ts';
import { emailInvites, LEADS_SOMEWHERE, linkInvites, type InviteRow } from './policy.ts';

const EXPIRES_AFTER_DAYS = 14;

export async function insertLinkInvite(
  db: Database,
  invite: { organizationId: string; role: Role | null; invitedBy: string; into: Partial<Subject> },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('invites')
    .values({
      id,
      kind: 'link',
      organization_id: invite.organizationId,
      role: invite.role,
      invited_by: invite.invitedBy,
      ...invite.into,
    })
    .execute();
  return id;
}

export async function setInviteRole(db: Database, id: string, role: Role | null): Promise<void> {
  await db
    .updateTable('invites')
    .set({ role, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export const deleteInvite = (db: Database, id: string) =>
  db.deleteFrom('invites').where('id', '=', id).execute();

/** A space or a collection; with neither, the organization itself. */
export interface Into {
  readonly space_id: string | null;
  readonly collection_id: string | null;
}

export interface NewEmailInvite {
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role | null;
  readonly into: Into;
  readonly invitedBy: string | null;
  readonly secret: string;
}

/** Inviting an address again replaces its open invitation: the link sent before stops working. */
export async function putEmailInvite(db: Database, invite: NewEmailInvite): Promise<void> {
  const fresh = {
    role: invite.role,
    ...invite.into,
    secret_hash: hashOfSecret(invite.secret),
    invited_by: invite.invitedBy,
    expires_at: sql<Date>`now() + make_interval(days => ${EXPIRES_AFTER_DAYS})`,
  };
  await db
    .insertInto('invites')
    .values({
      id: newId(),
      kind: 'email',
      organization_id: invite.organizationId,
      email: invite.email,
      ...fresh,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'email'])
        // A literal, not a parameter: PostgreSQL must see that this is the partial index, also in a prepared statement.
        .where('kind', '=', sql.lit('email'))
        .where('accepted_at', 'is', null)
        .doUpdateSet(fresh),
    )
    .execute();
}

/** The open invitation of an address, as good as it still is. */
export const findEmailInvite = (db: Database, organizationId: string, email: string) =>
  db
    .selectFrom('invites')
    .select(['role', 'space_id', 'collection_id', 'invited_by'])
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('kind', '=', 'email')
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();

const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** What stands behind a code in an address: a one-time secret from a mail, or the id of an invite link. */
export const findOpenInvite = (db: Database, code: string) =>
  db
    .selectFrom('invites as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .select(['i.id', 'i.kind', 'i.email', 'i.role', 'i.space_id', 'i.collection_id'])
    .select(['i.organization_id', 'o.title as organization_title'])
    .where('i.accepted_at', 'is', null)
    .where(sql<boolean>`${sql.raw(LEADS_SOMEWHERE)}`)
    .where((invite) =>
      invite.or([invite('i.expires_at', 'is', null), invite('i.expires_at', '>', sql<Date>`now()`)]),
    )
    .where((invite) =>
      invite.or([
        invite('i.secret_hash', '=', hashOfSecret(code)),
        invite.and([
          invite('i.id', '=', code),
          invite('i.kind', '=', 'link'),
          invite('o.invite_links', '=', true),
        ]),
      ]),
    )
    .executeTakeFirst();

export type OpenInvite = NonNullable<Awaited<ReturnType<typeof findOpenInvite>>>;

/** Uses an invitation up. False when somebody was faster. */
export async function acceptInvite(db: Database, id: string): Promise<boolean> {
  const accepted = await db
    .updateTable('invites')
    .set({ accepted_at: sql`now()`, secret_hash: null })
    .where('id', '=', id)
    .where('kind', '=', 'email')
    .where('accepted_at', 'is', null)
    .executeTakeFirst();
  return accepted.numUpdatedRows === 1n;
}

const oldestFirst = {
  by: ['created_at', 'invite_id'],
  direction: 'asc' as const,
  key: (row: InviteRow) => [row.created_at.toISOString(), row.invite_id],
};

/** Those into the organization itself. */
export const listLinkInvites = (db: Database, callerId: string, organizationId: string, page: PageRequest) =>
  fetchPage(
    visible(db, linkInvites, callerId)
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('space_id', 'is', null)
      .where('collection_id', 'is', null),
    page,
    oldestFirst,
  );

export const listEmailInvites = (db: Database, callerId: string, organizationId: string, page: PageRequest) =>
  fetchPage(
    visible(db, emailInvites, callerId).selectAll().where('organization_id', '=', organizationId),
    page,
    oldestFirst,
  );

export const getLinkInvite = (db: Database, callerId: string, id: string): Promise<InviteRow> =>
  visible(db, linkInvites, callerId).selectAll().where('invite_id', '=', id).executeTakeFirstOrThrow();
