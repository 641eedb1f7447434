export {
  joinableOrganizations,
  organizations,
  requireCreateContent,
  type OrganizationRow,
} from './policy.ts';
export { presentOrganization } from './present.ts';
export { NewOrganization, Organization } from './schema.ts';
export { getOrganization, insertOrganization, listAllOrganizations, organizationExists } from './store.ts';
