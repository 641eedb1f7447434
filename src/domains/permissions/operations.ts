import { idOf } from '../../platform/api/resource.ts';
import { collections } from '../collections/index.ts';
import { spaces } from '../spaces/index.ts';
import { aggregateOperation, permissionOperations } from './operations-under-prefix.ts';
import { sharedWith } from './policy.ts';

const space = {
  name: 'space',
  path: '/v1/spaces/{spaceId}',
  params: { spaceId: idOf(spaces, 'view') },
  resource: spaces,
  subject: (row: { space_id: string }) => ({ space_id: row.space_id }),
} as const;

const collection = {
  name: 'collection',
  path: '/v1/collections/{collectionId}',
  params: { collectionId: idOf(collections, 'view') },
  resource: collections,
  subject: (row: { collection_id: string }) => ({ collection_id: row.collection_id }),
} as const;

const onSpace = permissionOperations({
  ...space,
  users: sharedWith(spaces, 'user_id'),
  teams: sharedWith(spaces, 'team_id'),
});

const onCollection = permissionOperations({
  ...collection,
  users: sharedWith(collections, 'user_id'),
  teams: sharedWith(collections, 'team_id'),
});

export const inviteToSpace = onSpace.invite;
export const listUserPermissionsInSpace = onSpace.listUsers;
export const listTeamPermissionsInSpace = onSpace.listTeams;
export const listPermissionsAggregateInSpace = aggregateOperation(space);
export const updateUserPermissionInSpace = onSpace.updateUser;
export const updateTeamPermissionInSpace = onSpace.updateTeam;
export const removeUserFromSpace = onSpace.removeUser;
export const removeTeamFromSpace = onSpace.removeTeam;

export const inviteToCollection = onCollection.invite;
export const listUserPermissionsInCollection = onCollection.listUsers;
export const listTeamPermissionsInCollection = onCollection.listTeams;
export const listPermissionsAggregateInCollection = aggregateOperation(collection);
export const updateUserPermissionInCollection = onCollection.updateUser;
export const updateTeamPermissionInCollection = onCollection.updateTeam;
export const removeUserFromCollection = onCollection.removeUser;
export const removeTeamFromCollection = onCollection.removeTeam;
