import { Check } from 'typebox/value';
import type { Context } from '../../platform/context.ts';
import { line } from '../../platform/schema.ts';
import { findUserByEmail, insertToken, insertUser, normaliseEmail, proveEmail } from '../users/index.ts';
import { enter } from './enter.ts';
import { inviteByLink } from './invite.ts';
import { Email } from './schema.ts';
import { acceptInvite, findEmailInvite, type OpenInvite } from './store.ts';

export type Outcome =
  | { readonly kind: 'joined'; readonly token: string }
  | { readonly kind: 'mailed'; readonly email: string }
  | { readonly kind: 'used' }
  | { readonly kind: 'refused'; readonly reason: string };

interface Person {
  readonly displayName: string;
  readonly email: string;
}

type PageContext = Omit<Context, 'caller'>;

/** Lets the person who opened an invitation in, with an account and a token of their own. */
export async function accept(ctx: PageContext, invite: OpenInvite, person: Person): Promise<Outcome> {
  const { displayName } = person;
  if (!Check(line(1, 64), displayName)) return refused('Please give your name, in at most 64 characters.');
  // Opening the one-time link proves the address it was sent to.
  if (invite.email !== null) {
    if (!(await acceptInvite(ctx.db, invite.id))) return { kind: 'used' };
    return joined(ctx, invite, await ensureUser(ctx, invite.email, displayName));
  }
  const email = normaliseEmail(person.email);
  if (!Check(Email, email)) return refused('Please give your e-mail address.');
  return ctx.settings.mail ? mailed(ctx, invite, email) : enterUnproven(ctx, invite, { displayName, email });
}

const refused = (reason: string): Outcome => ({ kind: 'refused', reason });

async function ensureUser(ctx: PageContext, email: string, displayName: string): Promise<string> {
  const created = await insertUser(ctx.db, { email, displayName, isProven: true });
  if (created) return created;
  const existing = await findUserByEmail(ctx.db, email);
  if (!existing) throw new Error('a user that was there is gone');
  await proveEmail(ctx.db, existing.id);
  return existing.id;
}

/**
 * A link says nothing about whose address is typed in: the mail to it does. Whom somebody has invited by name stays
 * invited to that: not everybody who has a link may change it.
 */
async function mailed(ctx: PageContext, invite: OpenInvite, email: string): Promise<Outcome> {
  const personal = await findEmailInvite(ctx.db, invite.organization_id, email);
  const { role, space_id, collection_id } = personal?.invited_by ? personal : invite;
  await inviteByLink(ctx, {
    organizationId: invite.organization_id,
    organizationTitle: invite.organization_title,
    email,
    role,
    into: { space_id, collection_id },
    invitedBy: personal?.invited_by ?? null,
  });
  return { kind: 'mailed', email };
}

/** Without mail an address cannot be proven; a new account may be made with it, an existing one never be entered. */
async function enterUnproven(ctx: PageContext, invite: OpenInvite, person: Person): Promise<Outcome> {
  const userId = await insertUser(ctx.db, { ...person, isProven: false });
  if (!userId) {
    return refused(
      `This address has an account here. Join with its token: POST /v1/orgs/${invite.organization_id}/invites/${invite.id}`,
    );
  }
  return joined(ctx, invite, userId);
}

async function joined(ctx: PageContext, invite: OpenInvite, userId: string): Promise<Outcome> {
  await enter(ctx.db, invite, userId);
  const { token } = await insertToken(ctx.db, userId, { label: 'Invitation' });
  return { kind: 'joined', token };
}
