import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { newId } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import type { Role } from '../access/index.ts';
import { endOf, IS_ACTIVE, linkInvites, type emailInvites, type InviteRow } from './policy.ts';

/** A space or a collection; with neither, the organization itself. */
export interface Into {
  readonly space_id: string | null;
  readonly collection_id: string | null;
}

export interface NewInvite {
  readonly organizationId: string;
  readonly role: Role | null;
  /** The target of `role`. */
  readonly into: Into;
  readonly invitedBy: string;
}

const LINK_DAYS = 30;
const EMAIL_DAYS = 14;
const inDays = (days: number) => sql<Date>`now() + make_interval(days => ${days})`;

export async function insertLinkInvite(
  db: Database,
  invite: NewInvite & { readonly expiresAt: string | undefined },
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
      expires_at: invite.expiresAt ?? inDays(LINK_DAYS),
      ...invite.into,
    })
    .execute();
  return id;
}

/** Mails that were requested with the link get its new role, too. */
export async function updateLinkInvite(
  db: Database,
  id: string,
  { role, expiresAt }: { readonly role: Role | null; readonly expiresAt: string | undefined },
): Promise<void> {
  await db
    .updateTable('invites')
    .set({ role, version: sql`version + 1`, ...(expiresAt === undefined ? {} : { expires_at: expiresAt }) })
    .where('id', '=', id)
    .execute();
  await db.updateTable('invites').set({ role }).where('link_id', '=', id).execute();
}

export const deleteInvite = (db: Database, id: string) =>
  db.deleteFrom('invites').where('id', '=', id).execute();

export interface NewEmailInvite extends NewInvite {
  readonly email: string;
  readonly secret: string;
  /** The secret is sent to the mail server only. */
  readonly isMailed: boolean;
  /** The invite link with which the mail was requested. */
  readonly linkId: string | null;
  /** Default: in two weeks. */
  readonly expiresAt?: Date | undefined;
}

/** A repeated invitation replaces the open one of the address: the earlier link stops working. */
export function putEmailInvite(
  db: Database,
  invite: NewEmailInvite,
): Promise<{ readonly id: string; readonly expires_at: Date }> {
  const fresh = {
    role: invite.role,
    ...invite.into,
    secret_hash: hashOfSecret(invite.secret),
    is_mailed: invite.isMailed,
    link_id: invite.linkId,
    invited_by: invite.invitedBy,
    expires_at: invite.expiresAt ?? inDays(EMAIL_DAYS),
  };
  return db
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
    .returning(['id', sql.raw<Date>(endOf('invites')).as('expires_at')])
    .executeTakeFirstOrThrow();
}

const isActive = sql<boolean>`${sql.raw(IS_ACTIVE)}`;

/** The open and valid invitation of an admin to an address. */
export const findPersonalInvite = (db: Database, organizationId: string, email: string) =>
  db
    .selectFrom('invites as i')
    .select(['i.role', 'i.space_id', 'i.collection_id', 'i.invited_by', 'i.expires_at'])
    .where('i.organization_id', '=', organizationId)
    .where('i.email', '=', email)
    .where('i.kind', '=', 'email')
    .where('i.link_id', 'is', null)
    .where('i.accepted_at', 'is', null)
    .where(isActive)
    .executeTakeFirst();

const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** The target of a code in an address: a one-time secret, or the id of an invite link. */
export const findOpenInvite = (db: Database, code: string) =>
  db
    .selectFrom('invites as i')
    .innerJoin('organizations as organization', 'organization.id', 'i.organization_id')
    .select(['i.id', 'i.kind', 'i.email', 'i.role', 'i.space_id', 'i.collection_id', 'i.is_mailed'])
    .select(['i.invited_by', 'i.organization_id', 'organization.title as organization_title'])
    .where('i.accepted_at', 'is', null)
    .where(isActive)
    .where((invite) =>
      invite.or([
        invite('i.secret_hash', '=', hashOfSecret(code)),
        invite.and([invite('i.id', '=', code), invite('i.kind', '=', 'link')]),
      ]),
    )
    .executeTakeFirst();

export type OpenInvite = NonNullable<Awaited<ReturnType<typeof findOpenInvite>>>;

/** Locks an invitation until the transaction ends. False when it was accepted meanwhile. */
export async function lockInvite(db: Database, id: string): Promise<boolean> {
  const locked = await db
    .selectFrom('invites')
    .select('id')
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return locked !== undefined;
}

/** Marks an invitation by e-mail as accepted. False when it was already. */
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

/** `withInside`: also those for spaces and collections. */
export function listInvites(
  db: Database,
  invites: typeof linkInvites | typeof emailInvites,
  callerId: string,
  organizationId: string,
  withInside: boolean,
  page: PageRequest,
) {
  const rows = visibleRows(db, invites, callerId).selectAll().where('organization_id', '=', organizationId);
  const shown = withInside ? rows : rows.where('space_id', 'is', null).where('collection_id', 'is', null);
  return fetchPage(shown, page, oldestFirst);
}

export const getLinkInvite = (db: Database, callerId: string, id: string): Promise<InviteRow> =>
  visibleRows(db, linkInvites, callerId).selectAll().where('invite_id', '=', id).executeTakeFirstOrThrow();
