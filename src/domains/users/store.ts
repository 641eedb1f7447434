import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { visibleRows } from '../../platform/database/visible-rows.ts';
import { newId, newToken } from '../../platform/api/ids.ts';
import { fetchPage, type PageRequest } from '../../platform/api/pagination.ts';
import { SHOWN_EMAIL, tokens, type TokenRow, type UserColumns } from './policy.ts';

export interface NewUser {
  readonly email: string;
  readonly displayName: string;
  /** Whether the address is proven to be theirs. */
  readonly isProven: boolean;
  /** It acts for an installation of an integration, and is no person. */
  readonly isInstallation?: boolean;
}

export const hashOfToken = (token: string): Buffer => hash('sha256', token, 'buffer');

export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

/** The id of the new user; undefined where the address is proven by another account. */
export async function insertUser(db: Database, user: NewUser): Promise<string | undefined> {
  const inserted = await db
    .insertInto('users')
    .values({
      id: newId(),
      email: normaliseEmail(user.email),
      display_name: user.displayName,
      email_proven_at: user.isProven ? sql`now()` : null,
      is_installation: user.isInstallation ?? false,
    })
    .onConflict((conflict) => conflict.column('email').where('email_proven_at', 'is not', null).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted?.id;
}

/** The account that has proven the address. Accounts that only claim it are found by their id. */
export const findProvenUser = (db: Database, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', normaliseEmail(email))
    .where('email_proven_at', 'is not', null)
    .executeTakeFirst();

/** Finds a user by id or by proven address. For the operator. */
export const findUser = (db: Database, idOrEmail: string) =>
  idOrEmail.includes('@')
    ? findProvenUser(db, idOrEmail)
    : db.selectFrom('users').select(['id', 'email']).where('id', '=', idOrEmail).executeTakeFirst();

/** Users as others see them, by id. */
export async function findUsers(
  db: Database,
  ids: readonly (string | null)[],
): Promise<Map<string, UserColumns>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<UserColumns>`
    select u.id as user_id, u.display_name, ${sql.raw(SHOWN_EMAIL)} as email, u.photo_url
    from users u where u.id = any(${wanted})`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row]));
}

/**
 * May be called by the operator only. A link never proves the address of an existing account: its creator may be another person with
 * tokens of the account.
 */
export async function proveEmail(db: Database, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_proven_at: sql`coalesce(email_proven_at, now())` })
    .where('id', '=', userId)
    .execute();
}

/** May be called by the operator only. The tokens of a disabled user remain, and are refused. */
export async function setDisabled(db: Database, userId: string, isDisabled: boolean): Promise<void> {
  await db
    .updateTable('users')
    .set({ disabled_at: isDisabled ? sql`coalesce(disabled_at, now())` : null })
    .where('id', '=', userId)
    .execute();
}

/** A user as the caller of what is done for them. Disabled users are none. */
export const findCaller = (db: Database, userId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'display_name as displayName', 'photo_url as photoUrl', 'email'])
    .select(sql<boolean>`email_proven_at is not null`.as('emailProven'))
    .where('id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();

/** The owner of a valid token; `scopes` null: it has all rights of its owner. */
export const findTokenHolder = (db: Database, token: string) =>
  db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(['users.id', 'users.display_name', 'tokens.scopes'])
    .where('tokens.hash', '=', hashOfToken(token))
    .where('users.disabled_at', 'is', null)
    .where((row) =>
      row.or([row('tokens.expires_at', 'is', null), row('tokens.expires_at', '>', sql<Date>`now()`)]),
    )
    .executeTakeFirst();

export async function updateUser(
  db: Database,
  id: string,
  { displayName, photoURL }: { displayName?: string; photoURL?: string },
) {
  const isChanged = displayName !== undefined || photoURL !== undefined;
  return db
    .updateTable('users')
    .set({
      version: sql`version + ${Number(isChanged)}`,
      display_name: displayName,
      photo_url: photoURL,
    })
    .where('id', '=', id)
    .returning(['id as user_id', 'display_name', 'email', 'photo_url', 'version'])
    .executeTakeFirstOrThrow();
}

export interface TokenRequest {
  readonly label: string;
  readonly expiresAt?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
}

/** Creates a token and stores its hash only. `given`: chosen by the operator. */
export async function insertToken(db: Database, userId: string, request: TokenRequest, given?: string) {
  const token = given ?? newToken();
  const row = await db
    .insertInto('tokens')
    .values({
      id: newId(),
      user_id: userId,
      label: request.label,
      hash: hashOfToken(token),
      scopes: request.scopes ? [...request.scopes] : null,
      expires_at: request.expiresAt ?? null,
    })
    .returning(['id as token_id', 'label', 'scopes', 'created_at', 'expires_at', 'last_used_at'])
    .executeTakeFirstOrThrow();
  return { row, token };
}

export const deleteExpiredTokens = (db: Database, userId: string) =>
  db
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('expires_at', '<', sql<Date>`now()`)
    .execute();

/** Takes scopes from the tokens of a user; none gets more. */
export const narrowTokens = (db: Database, userId: string, scopes: readonly string[]) =>
  sql`
    update tokens set scopes = array(select unnest(scopes) intersect select unnest(${[...scopes]}::text[]))
    where user_id = ${userId} and not scopes <@ ${[...scopes]}::text[]`.execute(db);

/** False where there was none. */
export async function deleteToken(db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('tokens').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

export const listTokens = (db: Database, callerId: string, page: PageRequest) =>
  fetchPage(visibleRows(db, tokens, callerId).selectAll(), page, {
    by: ['created_at', 'token_id'],
    direction: 'asc',
    key: (row: TokenRow) => [row.created_at.toISOString(), row.token_id],
  });

const touching = (db: Database, ids: readonly string[]) =>
  db
    .updateTable('tokens')
    .set({ last_used_at: sql`now()` })
    .where('id', 'in', [...ids]);

/** Last uses, as the processes report them from time to time. */
export async function touchTokens(db: Database, ids: readonly string[]): Promise<void> {
  await touching(db, ids).execute();
}

/** First use. Tokens that were used before are unchanged. */
export async function touchUnusedTokens(db: Database, ids: readonly string[]): Promise<void> {
  await touching(db, ids).where('last_used_at', 'is', null).execute();
}

/** The account that the first start created, unless it was deleted or disabled. */
export const findAdministrator = (db: Database) =>
  db
    .selectFrom('installation')
    .innerJoin('users', 'users.id', 'installation.administrator_id')
    .where('users.disabled_at', 'is', null)
    .select(['users.id', 'users.email'])
    .select((from) =>
      from
        .exists(
          from
            .selectFrom('tokens')
            .select(sql`1`.as('used'))
            .whereRef('tokens.user_id', '=', 'users.id')
            .where('last_used_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('hasUsedToken'),
    )
    .executeTakeFirst();

/** Deletes a user's unused tokens with this label, except the newest ones. */
export async function deleteUnusedTokens(
  db: Database,
  userId: string,
  label: string,
  except: number,
): Promise<void> {
  const unused = db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .where('label', '=', label)
    .where('last_used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(except);
  await db.deleteFrom('tokens').where('id', 'in', unused).execute();
}

/** Lists all users, for the operator. */
export const listAllUsers = (db: Database) =>
  db
    .selectFrom('users')
    .select([
      'id',
      'email',
      'display_name as name',
      sql<boolean>`email_proven_at is not null`.as('proven'),
      sql<boolean>`disabled_at is not null`.as('disabled'),
    ])
    .where('is_installation', '=', false)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const listTokensOfUser = (db: Database, userId: string) =>
  db
    .selectFrom('tokens')
    .select(['id', 'label', 'created_at', 'expires_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
