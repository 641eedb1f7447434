export { effectiveRules, requireReadable } from './merge-rules.ts';
export { isReservedHostname } from './reserved-hostnames.ts';
export {
  joinableOrganizations,
  organizations,
  requireCreateContent,
  type OrganizationRow,
} from './policy.ts';
export { presentOrganization, presentToOutsider } from './present.ts';
export { MergeRules, NewOrganization, Organization, SpaceMergeRules } from './schema.ts';
export {
  findPublicOrganizations,
  getOrganization,
  insertOrganization,
  listAllOrganizations,
  organizationExists,
} from './store.ts';
