import { Check } from 'typebox/value';
import type { Context } from '../../platform/api/context.ts';
import { line } from '../../platform/api/schema.ts';
import { findTokenHolder, insertToken, insertUser, normaliseEmail, type NewUser } from '../users/index.ts';
import { grantAccess } from './grant-access.ts';
import { invite as inviteAddress } from './invite.ts';
import { joinPath } from './present.ts';
import { Email } from './schema.ts';
import { acceptInvite, findPersonalInvite, lockInvite, type OpenInvite } from './store.ts';

export type Outcome =
  | { readonly kind: 'joined'; readonly name: string }
  | { readonly kind: 'created'; readonly token: string }
  | { readonly kind: 'mailed'; readonly email: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'refused'; readonly reason: string };

interface Person {
  readonly displayName: string;
  readonly email: string;
}

type PageContext = Omit<Context, 'caller'>;

const refused = (reason: string): Outcome => ({ kind: 'refused', reason });

/** Adds the account of a token. The link determines nothing about the account, and changes nothing of it. */
export async function joinWithToken(ctx: PageContext, invite: OpenInvite, token: string): Promise<Outcome> {
  const holder = await findTokenHolder(ctx.db, token);
  if (!holder) return refused('The token is invalid, expired or deleted.');
  if (holder.scopes) return refused('Scoped tokens are not accepted here. Use a token without scopes.');
  if (invite.kind === 'email' && !(await acceptInvite(ctx.db, invite.id))) return { kind: 'used' };
  await grantAccess(ctx.db, invite, holder.id);
  return { kind: 'joined', name: holder.display_name };
}

/** Creates an account for a new person. Its address is proven only by a link that was mailed to it. */
export async function joinAsNewUser(ctx: PageContext, invite: OpenInvite, person: Person): Promise<Outcome> {
  const { displayName } = person;
  if (!Check(line(1, 64), displayName)) return refused('Enter your name, at most 64 characters.');
  if (invite.email !== null)
    return createAccount(ctx, invite, { email: invite.email, displayName, isProven: invite.is_mailed });
  const email = normaliseEmail(person.email);
  if (!Check(Email, email)) return refused('Enter your e-mail address.');
  return ctx.settings.mail
    ? mailLink(ctx, invite, email)
    : createAccount(ctx, invite, { email, displayName, isProven: false });
}

/**
 * Never signs in to an existing account. Only a mailed link reveals that the address has one: an unproven account is
 * created whether or not other accounts claim the address.
 */
async function createAccount(ctx: PageContext, invite: OpenInvite, user: NewUser): Promise<Outcome> {
  if (invite.kind === 'email' && !(await lockInvite(ctx.db, invite.id))) return { kind: 'used' };
  const userId = await insertUser(ctx.db, user);
  if (!userId) {
    const url = ctx.addresses.of(joinPath(invite.organization_id, invite.id));
    return refused(
      `An account with this address exists. Join with its token: in the form below, or with POST ${url}`,
    );
  }
  if (invite.kind === 'email') await acceptInvite(ctx.db, invite.id);
  await grantAccess(ctx.db, invite, userId);
  const { token } = await insertToken(ctx.db, userId, { label: 'Invitation' });
  return { kind: 'created', token };
}

/**
 * An invite link proves nothing about the address in the form; the mail to it does. An admin's invitation to the same
 * address keeps its role and its end: holders of a link may not change them.
 */
async function mailLink(ctx: PageContext, invite: OpenInvite, email: string): Promise<Outcome> {
  const personal = await findPersonalInvite(ctx.db, invite.organization_id, email);
  const { role, space_id, collection_id, invited_by: invitedBy } = personal ?? invite;
  await inviteAddress(ctx, {
    organizationId: invite.organization_id,
    organizationTitle: invite.organization_title,
    email,
    role,
    into: { space_id, collection_id },
    invitedBy,
    linkId: personal ? null : invite.id,
    expiresAt: personal?.expires_at,
  });
  return { kind: 'mailed', email };
}
