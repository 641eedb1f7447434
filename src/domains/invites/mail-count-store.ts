import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';

export interface MailCount {
  readonly kind: 'organization' | 'user';
  /** Mails of the current hour, including this one. */
  readonly mails: number;
  readonly seconds_left: number;
}

/** The organization always first, so that two transactions do not deadlock. */
export async function addMail(db: Database, organizationId: string, userId: string): Promise<MailCount[]> {
  const { rows } = await sql<MailCount>`
    insert into invitation_mails as there (kind, id, mails, hour_ends) values
      ('organization', ${organizationId}, 1, now() + interval '1 hour'),
      ('user', ${userId}, 1, now() + interval '1 hour')
    on conflict (kind, id) do update set
      mails = case when there.hour_ends > now() then there.mails + 1 else 1 end,
      hour_ends = case when there.hour_ends > now() then there.hour_ends else excluded.hour_ends end
    returning kind, mails, ceil(extract(epoch from hour_ends - now()))::int as seconds_left`.execute(db);
  return rows;
}

export async function deleteOldCounts(db: Database): Promise<void> {
  await db
    .deleteFrom('invitation_mails')
    .where('hour_ends', '<', sql<Date>`now()`)
    .execute();
}
