import Type from 'typebox';
import { ROLES, type Role } from './roles.ts';

export const RoleName = Type.Enum([...ROLES], {
  description: 'Role, from `read` (lowest) to `admin` (highest)',
});

/** One enum with `null` in it: `anyOf` would cost a validation on every serialisation. */
export const RoleOrNull = Type.Unsafe<Role | null>({
  type: ['string', 'null'],
  enum: [...ROLES, null],
  description: 'Role; `null`: no access beyond explicit grants',
});

/** The values of a default level. */
export const Level = Type.Unsafe<Role | null | 'inherit'>({
  type: ['string', 'null'],
  enum: [...ROLES, null, 'inherit'],
  description:
    'Role of every member; `null`: no access beyond explicit grants; `inherit`: the setting of the parent',
});
