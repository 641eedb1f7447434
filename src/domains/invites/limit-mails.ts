import type { Database } from '../../platform/database/connection.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { addMail } from './mail-count-store.ts';

/** Invitations are mailed to any address: without a limit, the server could be used to send spam. */
const MAILS_PER_HOUR = { organization: 300, user: 100 } as const;

/** Counts a mail in the transaction that enqueues it; refuses it beyond the hourly limit. */
export async function countMail(
  db: Database,
  { organizationId, invitedBy }: { readonly organizationId: string; readonly invitedBy: string },
): Promise<void> {
  const counts = await addMail(db, organizationId, invitedBy);
  const exceeded = counts.filter(({ kind, mails }) => mails > MAILS_PER_HOUR[kind]);
  if (exceeded.length > 0) throw tooManyMails(Math.max(...exceeded.map((each) => each.seconds_left)));
}

const tooManyMails = (seconds: number) =>
  new ApiError(
    429,
    `Too many invitations: a user can send ${MAILS_PER_HOUR.user} per hour, an organization ` +
      `${MAILS_PER_HOUR.organization}. Nothing was sent. Retry in ${seconds} s, or share an invite link.`,
    { headers: { 'retry-after': String(seconds) } },
  );
