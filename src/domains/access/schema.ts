import Type from 'typebox';
import { ROLES, type Role } from './roles.ts';

export const RoleName = Type.Enum([...ROLES], { description: 'A role, from read (least) to admin (most)' });

/** One enum with `null` in it: `anyOf` would cost a validation on every serialisation. */
export const RoleOrNull = Type.Unsafe<Role | null>({
  type: ['string', 'null'],
  enum: [...ROLES, null],
  description: 'A role; null gives nothing beyond what is granted explicitly',
});

/** What a default can be set to. */
export const Level = Type.Unsafe<Role | null | 'inherit'>({
  type: ['string', 'null'],
  enum: [...ROLES, null, 'inherit'],
  description: 'A role for every member; null: nothing beyond grants; inherit: as it is set above',
});
