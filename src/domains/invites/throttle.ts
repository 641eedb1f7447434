import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { ApiError } from '../../platform/errors.ts';

/** An invitation goes to any address that its inviter names: without a limit, this server would be a sender of spam. */
const MAILS_PER_HOUR = { organization: 300, user: 100 } as const;

interface Counted {
  readonly kind: keyof typeof MAILS_PER_HOUR;
  readonly mails: number;
  readonly seconds_left: number;
}

/** Counts one more mail, in the transaction that enqueues it; refuses the one beyond the limit of an hour. */
export async function countMail(
  db: Database,
  { organizationId, invitedBy }: { readonly organizationId: string; readonly invitedBy: string },
): Promise<void> {
  // The organization first, always: of two who wait for each other's row, one would fail.
  const { rows } = await sql<Counted>`
    insert into invitation_mails as there (kind, id, mails, hour_ends) values
      ('organization', ${organizationId}, 1, now() + interval '1 hour'),
      ('user', ${invitedBy}, 1, now() + interval '1 hour')
    on conflict (kind, id) do update set
      mails = case when there.hour_ends > now() then there.mails + 1 else 1 end,
      hour_ends = case when there.hour_ends > now() then there.hour_ends else excluded.hour_ends end
    returning kind, mails, ceil(extract(epoch from hour_ends - now()))::int as seconds_left`.execute(db);
  const exceeded = rows.filter(({ kind, mails }) => mails > MAILS_PER_HOUR[kind]);
  if (exceeded.length > 0) throw tooManyMails(Math.max(...exceeded.map((each) => each.seconds_left)));
}

const tooManyMails = (seconds: number) =>
  new ApiError(
    429,
    `Too many invitations by mail: each user can send ${MAILS_PER_HOUR.user} within an hour, each organization ` +
      `${MAILS_PER_HOUR.organization}. This request sent none. Try again in ${seconds} s, or share an invite link.`,
    { headers: { 'retry-after': String(seconds) } },
  );

export async function deleteOldCounts(db: Database): Promise<void> {
  await db
    .deleteFrom('invitation_mails')
    .where('hour_ends', '<', sql<Date>`now()`)
    .execute();
}
