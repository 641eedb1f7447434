import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { needsScope } from '../../platform/api/scope.ts';
import { line, listQuery, named, Uri } from '../../platform/api/schema.ts';
import { Level, RoleOrNull } from '../access/index.ts';
import { collections } from './policy.ts';

export const Collection = named('Collection', {
  object: Type.Literal('collection'),
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  organization: Type.String(),
  parent: Type.Optional(Type.String()),
  defaultLevel: RoleOrNull,
  urls: Type.Object({ location: Uri, app: Uri }),
  permissions: Type.Object({
    view: Type.Boolean(),
    admin: Type.Boolean(),
    viewInviteLinks: Type.Boolean(),
    create: Type.Boolean(),
  }),
});

export const CollectionQuery = Type.Object({
  ...listQuery,
  nested: Type.Optional(
    Type.Boolean({
      default: true,
      description: '`false` lists only collections at the root of the organization',
    }),
  ),
});

export const NewCollection = Type.Object({
  title: Type.Optional(line(0, 50)),
  parent: Type.Optional(idOf(collections, 'create')),
});

export const CollectionPatch = Type.Object({
  title: Type.Optional(line(0, 50)),
  description: Type.Optional(line(0, 100)),
  defaultLevel: Type.Optional(needsScope('space:permissions:write', Level)),
});
