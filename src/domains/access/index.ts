export { HELD_SPACES, HIDDEN, SPACE_COUNTS } from './held-spaces.ts';
export { leastRole } from './least-roles.ts';
export { COLLECTION, effectiveRole, nearestDefault, shownDefault, SPACE } from './policy.ts';
export { resource, type Authorised, type Rule } from './resource.ts';
export { atLeast, ROLES, type Role } from './roles.ts';
export { Level, RoleName, RoleOrNull } from './schema.ts';
export { SCOPES } from './scopes.ts';
export {
  copySpaceGrants,
  deleteForeignGrants,
  deleteGrant,
  putGrant,
  raiseGrant,
  replaceGrants,
  updateGrant,
  type Grantee,
  type Subject,
} from './store.ts';
