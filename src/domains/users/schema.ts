import Type from 'typebox';
import { SCOPES } from '../access/index.ts';
import { line, named, Timestamp, Uri } from '../../platform/api/schema.ts';

export const User = named('User', {
  object: Type.Literal('user'),
  id: Type.String(),
  displayName: Type.String(),
  email: Type.String(),
  photoURL: Type.String(),
  urls: Type.Object({ location: Uri }),
});

export const UserPatch = Type.Object({
  displayName: Type.Optional(line(1, 64)),
  photoURL: Type.Optional(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' })),
});

const token = {
  object: Type.Literal('user-token'),
  id: Type.String(),
  label: Type.String(),
  scopes: Type.Optional(
    Type.Array(Type.String(), { description: 'Scopes of the token. Absent: all rights of the user.' }),
  ),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  lastUsedAt: Type.Optional(Timestamp),
};

export const Token = named('UserToken', token);

export const CreatedToken = named('CreatedUserToken', {
  ...token,
  token: Type.String({ description: 'Secret of the token. It is returned only once and not stored.' }),
});

export const NewToken = Type.Object({
  label: line(1, 50),
  expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
  scopes: Type.Optional(Type.Array(Type.Enum([...SCOPES]), { minItems: 1, uniqueItems: true })),
});
