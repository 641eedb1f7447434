export { COLLECTION, effectiveRole, nearestDefault, shownDefault, SPACE } from './policy.ts';
export {
  copySpaceGrants,
  deleteForeignGrants,
  deleteGrant,
  putGrant,
  raiseGrant,
  updateGrant,
  type Grantee,
  type Subject,
} from './store.ts';
