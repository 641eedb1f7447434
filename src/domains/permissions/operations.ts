import { idOf } from '../../platform/api/resource.ts';
import { collections } from '../collections/index.ts';
import { spaces } from '../spaces/index.ts';
import { permissionOperations } from './operations-under-prefix.ts';
import { sharedWith } from './policy.ts';

const onSpace = permissionOperations({
  name: 'space',
  path: '/v1/spaces/{spaceId}',
  params: { spaceId: idOf(spaces, 'view') },
  resource: spaces,
  users: sharedWith(spaces, 'user_id'),
  teams: sharedWith(spaces, 'team_id'),
  subject: (row) => ({ space_id: row.space_id }),
});

const onCollection = permissionOperations({
  name: 'collection',
  path: '/v1/collections/{collectionId}',
  params: { collectionId: idOf(collections, 'view') },
  resource: collections,
  users: sharedWith(collections, 'user_id'),
  teams: sharedWith(collections, 'team_id'),
  subject: (row) => ({ collection_id: row.collection_id }),
});

export const inviteToSpace = onSpace.invite;
export const listUserPermissionsInSpace = onSpace.listUsers;
export const listTeamPermissionsInSpace = onSpace.listTeams;
export const listPermissionsAggregateInSpace = onSpace.aggregate;
export const updateUserPermissionInSpace = onSpace.updateUser;
export const updateTeamPermissionInSpace = onSpace.updateTeam;
export const removeUserFromSpace = onSpace.removeUser;
export const removeTeamFromSpace = onSpace.removeTeam;

export const inviteToCollection = onCollection.invite;
export const listUserPermissionsInCollection = onCollection.listUsers;
export const listTeamPermissionsInCollection = onCollection.listTeams;
export const listPermissionsAggregateInCollection = onCollection.aggregate;
export const updateUserPermissionInCollection = onCollection.updateUser;
export const updateTeamPermissionInCollection = onCollection.updateTeam;
export const removeUserFromCollection = onCollection.removeUser;
export const removeTeamFromCollection = onCollection.removeTeam;
