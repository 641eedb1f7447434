import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { named, Timestamp, Uri } from '../../platform/api/schema.ts';
import { RoleOrNull } from '../access/index.ts';
import { Collection, collections } from '../collections/index.ts';
import { Space, spaces } from '../spaces/index.ts';

/** Excludes quotes: a quoted name may contain another @, and would be taken for an address of that domain. */
export const Email = Type.String({ format: 'email', maxLength: 254, pattern: '^[^"@]+@[^"@]+$' });

const expiresAt = Type.Optional(
  Type.String({ format: 'date-time', description: 'Time at which it stops working; default: in 30 days' }),
);

const Active = Type.Boolean({
  description: 'Whether it works: not expired, not switched off, and its creator may still create it',
});

export const InviteLink = named('OrganizationInviteLink', {
  object: Type.Literal('invite'),
  id: Type.String(),
  role: Type.Optional(RoleOrNull),
  level: Type.Optional(RoleOrNull),
  redundant: Type.Boolean({
    description: 'The link grants no more than every member of the organization already has',
  }),
  space: Type.Optional(Space),
  collection: Type.Optional(Collection),
  expiresAt: Timestamp,
  active: Active,
  urls: Type.Object({ location: Uri, join: Uri }),
});

/** A link with `role` would open the whole organization, although the request names a space: it must use `level`. */
const absent = Type.Optional(
  Type.Never({ description: 'with `role`; for a link to a space or collection, send `level` instead' }),
);

export const NewInviteLink = Type.Union([
  Type.Object(
    { role: RoleOrNull, expiresAt, space: absent, collection: absent },
    { description: 'Link to the organization' },
  ),
  Type.Object(
    { level: RoleOrNull, space: idOf(spaces, 'admin', { scope: 'space:permissions:write' }), expiresAt },
    { description: 'Link to a space; joins as a guest' },
  ),
  Type.Object(
    {
      level: RoleOrNull,
      collection: idOf(collections, 'admin', { scope: 'space:permissions:write' }),
      expiresAt,
    },
    { description: 'Link to a collection; joins as a guest' },
  ),
]);

export const InviteLinkPatch = Type.Union([
  Type.Object({ role: RoleOrNull, expiresAt }),
  Type.Object({ level: RoleOrNull, expiresAt }, { description: 'For a link to a space or collection' }),
]);

export const EmailInvite = named('EmailInvite', {
  object: Type.Literal('email-invite'),
  id: Type.String(),
  email: Type.String(),
  role: RoleOrNull,
  level: Type.Optional(RoleOrNull),
  space: Type.Optional(Space),
  collection: Type.Optional(Collection),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  active: Active,
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
  users: Type.Array(Type.String(), { description: 'Always empty: users join when they accept' }),
  invited: Type.Number({ description: 'Number of invited addresses' }),
  failedSSOEmails: Type.Optional(Type.Array(Type.String())),
  links: Type.Optional(
    Type.Array(Type.Object({ email: Type.String(), url: Uri }), {
      description:
        'One-time links to pass on yourself, only if this installation sends no mail. They do not verify the address.',
    }),
  ),
});
