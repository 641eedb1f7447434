import Type from 'typebox';
import { named, RoleOrNull, Timestamp, Uri } from '../../platform/schema.ts';

const Email = Type.String({ format: 'email', maxLength: 254 });

export const InviteLink = named('OrganizationInviteLink', {
  object: Type.Literal('invite'),
  id: Type.String(),
  role: RoleOrNull,
  redundant: Type.Boolean({ description: 'It gives nothing that everybody in the organization has not got' }),
  urls: Type.Object({ location: Uri, join: Uri }),
});

export const NewInviteLink = Type.Object({ role: RoleOrNull });
export const InviteLinkPatch = Type.Object({ role: RoleOrNull });

export const EmailInvite = named('EmailInvite', {
  object: Type.Literal('email-invite'),
  id: Type.String(),
  email: Type.String(),
  role: RoleOrNull,
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

export const NewEmailInvites = Type.Object({
  emails: Type.Array(Type.Union([Email, Type.Object({ email: Email, role: RoleOrNull })]), {
    minItems: 1,
    maxItems: 100,
  }),
  role: Type.Optional(RoleOrNull),
  sso: Type.Optional(Type.Boolean({ examples: [false] })),
});

export const InvitedPeople = named('InvitedPeople', {
  users: Type.Array(Type.String(), { description: 'People who had an account and were added at once' }),
  invited: Type.Number({ description: 'How many were added or invited' }),
  failedSSOEmails: Type.Optional(Type.Array(Type.String())),
  links: Type.Optional(
    Type.Array(Type.Object({ email: Type.String(), url: Uri }), {
      description: 'One-time links to hand over yourself; only where this installation sends no mail',
    }),
  ),
});
