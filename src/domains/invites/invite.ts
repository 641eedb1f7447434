import type { Context } from '../../platform/api/context.ts';
import { newSecret } from '../../platform/api/ids.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { sendInvite, SEAL } from './jobs.ts';
import { invitePath, joinPath } from './present.ts';
import { countMail } from './limit-mails.ts';
import { putEmailInvite, type NewEmailInvite } from './store.ts';

export type Invitation = Omit<NewEmailInvite, 'secret' | 'isMailed'> & { readonly organizationTitle: string };

/**
 * Creates a one-time link for an address, whether it has an account or not, and returns it. With mail configured, the
 * link is mailed and must not be revealed otherwise: opening it proves the address.
 */
export async function invite(ctx: Omit<Context, 'caller'>, invitation: Invitation): Promise<string> {
  const { organizationTitle, ...wanted } = invitation;
  const { email, organizationId } = invitation;
  const { mail: isMailed } = ctx.settings;
  // First: requests of one organization are serialised here, before they lock anything else.
  if (isMailed) await countMail(ctx.db, invitation);
  const secret = newSecret();
  const { id, expires_at: end } = await putEmailInvite(ctx.db, { ...wanted, secret, isMailed });
  const link = ctx.addresses.of(invitePath(secret));
  if (isMailed) {
    await enqueue(ctx.db, sendInvite, {
      email,
      organization: organizationTitle,
      sealedLink: ctx.keys.seal(SEAL, link).toString('base64'),
      joinUrl: ctx.addresses.of(joinPath(organizationId, id)),
      expiresAt: end.toISOString(),
    });
  }
  return link;
}
