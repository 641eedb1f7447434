import type { Addresses } from '../../platform/api/context.ts';
import type { Counted } from '../members/index.ts';
import { presentTeam } from '../teams/index.ts';
import { presentUser } from '../users/index.ts';
import type { TeamPermissionRow, UserPermissionRow } from './store.ts';

export const presentUserPermission = (row: UserPermissionRow, addresses: Addresses) => ({
  permission: row.permission,
  user: presentUser(row, addresses),
});

export const presentTeamPermission = (row: Counted<TeamPermissionRow>, callerId: string) => ({
  permission: row.permission,
  team: presentTeam(row, callerId),
});
