import type { Context } from '../../platform/context.ts';
import { newSecret } from '../../platform/ids.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import type { Role } from '../../platform/roles.ts';
import { insertMember } from '../members/index.ts';
import { findUserByEmail, normaliseEmail } from '../users/index.ts';
import { sendInvite, SEAL } from './jobs.ts';
import { invitePath } from './present.ts';
import { putEmailInvite, type Into } from './store.ts';

export interface Invitation {
  readonly organizationId: string;
  readonly organizationTitle: string;
  readonly email: string;
  readonly role: Role | null;
  /** Where `role` is meant: a space or a collection; otherwise the organization. */
  readonly into?: Into;
  readonly invitedBy: string | null;
}

const ORGANIZATION: Into = { space_id: null, collection_id: null };

export type Invited = { readonly userId: string } | { readonly link: string };

/**
 * Adds somebody whose address is proven at once; everybody else gets a one-time link, because an address that nobody
 * has proven might be claimed by another.
 */
export async function invite(ctx: Omit<Context, 'caller'>, invitation: Invitation): Promise<Invited> {
  const email = normaliseEmail(invitation.email);
  const user = await findUserByEmail(ctx.db, email);
  if (user?.email_proven_at) {
    await insertMember(ctx.db, {
      organizationId: invitation.organizationId,
      userId: user.id,
      role: invitation.role,
    });
    return { userId: user.id };
  }
  return { link: await inviteByLink(ctx, { ...invitation, email }) };
}

/** The link, mailed where mail is set up. */
export async function inviteByLink(ctx: Omit<Context, 'caller'>, invitation: Invitation): Promise<string> {
  const { organizationId, email, role, into = ORGANIZATION, invitedBy } = invitation;
  const secret = newSecret();
  await putEmailInvite(ctx.db, { organizationId, email, role, into, invitedBy, secret });
  const link = ctx.addresses.of(invitePath(secret));
  if (ctx.settings.mail) {
    const sealedLink = ctx.keys.seal(SEAL, link).toString('base64');
    await enqueue(ctx.db, sendInvite, { email, organization: invitation.organizationTitle, sealedLink });
  }
  return link;
}
