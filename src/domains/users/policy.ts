import { resource, type Authorised } from '../access/index.ts';

export interface UserRow extends Authorised {
  readonly user_id: string;
  readonly display_name: string;
  readonly email: string;
  readonly photo_url: string | null;
  readonly version: number;
}

/** The columns with which a user is shown. */
export type UserColumns = Pick<UserRow, 'user_id' | 'display_name' | 'email' | 'photo_url'>;

/** The address of the user `u`, or null where it is not proven: it may belong to another person. */
export const PROVEN_EMAIL = 'case when u.email_proven_at is not null then u.email end';

/** The address of the user `u` as others see it. */
export const SHOWN_EMAIL = `coalesce(${PROVEN_EMAIL}, '')`;

/** Whether one of `:ids` is the proven address of the user `u`. */
export const NAMED_BY_EMAIL = `
  u.email_proven_at is not null and u.email = any(array(select lower(id) from unnest(:ids::text[]) id))`;

/** The user `u` as one value in another row. */
export const USER = `
  json_build_object('user_id', u.id, 'display_name', u.display_name, 'email', ${SHOWN_EMAIL}, 'photo_url', u.photo_url)`;

/** The user whose id a column holds, or null. */
export const userOf = (column: string): string => `(select ${USER} from users u where u.id = ${column})`;

/** Users see themselves, and those with whom they share an organization: guests read comments of members, too. */
export const users = resource<UserRow>()({
  name: 'User',
  key: 'user_id',
  rows: `
    select u.id as user_id, u.display_name, case when u.id = caller.id then u.email else ${SHOWN_EMAIL} end as email,
      u.photo_url, u.version,
      case when u.id = caller.id then 'admin' else 'read' end::role as role
    from users u
    where (u.id = caller.id or exists (
      select from members mine join members theirs using (organization_id)
      where mine.user_id = caller.id and not mine.disabled and theirs.user_id = u.id))`,
  match: 'u.id = any(:ids)',
  needs: { view: 'read', update: 'admin' },
  cacheTags: (row) => [`user:${row.user_id}`],
});

/** The caller: found without an id. */
export const self = resource<UserRow>()({ ...users, match: 'u.id = caller.id' });

export interface TokenRow extends Authorised {
  readonly token_id: string;
  readonly label: string;
  readonly scopes: string[] | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
}

/** Tokens are visible to their owner only. Derived ones are not listed: they end with the token that they come from. */
export const tokens = resource<TokenRow>()({
  name: 'Token',
  key: 'token_id',
  rows: `
    select t.id as token_id, t.label, t.scopes, t.created_at, t.expires_at, t.last_used_at, 'admin'::role as role
    from tokens t where t.user_id = caller.id`,
  match: 't.id = any(:ids)',
  needs: { view: 'read', delete: 'admin' },
});

/** The owner of the token with hash `asked.hash`. Every request begins with this lookup. */
export const callerSql = `
  select u.id, u.display_name, u.photo_url, u.email, u.email_proven_at is not null as email_proven, t.id as token_id,
    t.scopes, t.expires_at
  from tokens t join users u on u.id = t.user_id
  where t.hash = asked.hash and u.disabled_at is null and (t.expires_at is null or t.expires_at > now())`;
