import Type from 'typebox';
import { idOf } from '../../platform/resource.ts';
import { named, RoleOrNull, Timestamp, Uri } from '../../platform/schema.ts';
import { Collection, collections } from '../collections/index.ts';
import { Space, spaces } from '../spaces/index.ts';

/** Without quotes: a quoted name may hold another @, and would pass for an address of that domain. */
export const Email = Type.String({ format: 'email', maxLength: 254, pattern: '^[^"@]+@[^"@]+$' });

export const InviteLink = named('OrganizationInviteLink', {
  object: Type.Literal('invite'),
  id: Type.String(),
  role: Type.Optional(RoleOrNull),
  level: Type.Optional(RoleOrNull),
  redundant: Type.Boolean({
    description: 'It gives nothing that members of the organization have not got anyway',
  }),
  space: Type.Optional(Space),
  collection: Type.Optional(Collection),
  urls: Type.Object({ location: Uri, join: Uri }),
});

export const NewInviteLink = Type.Union([
  Type.Object({ role: RoleOrNull }, { description: 'Into the organization' }),
  Type.Object(
    { level: RoleOrNull, space: idOf(spaces, 'admin') },
    { description: 'Into a space, as a guest' },
  ),
  Type.Object(
    { level: RoleOrNull, collection: idOf(collections, 'admin') },
    { description: 'Into a collection' },
  ),
]);

export const InviteLinkPatch = Type.Union([
  Type.Object({ role: RoleOrNull }),
  Type.Object({ level: RoleOrNull }, { description: 'Of a link into a space or collection' }),
]);

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
