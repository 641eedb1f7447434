import Type from 'typebox';
import { named } from '../../../platform/api/schema.ts';
import { RoleOrNull } from '../../access/index.ts';
import { User } from '../../users/index.ts';

export const SitePermission = named('SitePermission', {
  permission: RoleOrNull,
  user: User,
  disabled: Type.Boolean({ description: 'Whether the membership is disabled; those who are have no role' }),
  origin: Type.Object({
    type: Type.Enum(['space', 'organization']),
    space: Type.Optional(Type.String()),
    organization: Type.Optional(Type.String()),
  }),
});
