export { countSpacesAndSites, type Counted, type CountedMember } from './count-store.ts';
export { createOrganizationWithAdmin } from './create-organization.ts';
export { members, type MemberRow } from './policy.ts';
export { presentMember } from './present.ts';
export { Member } from './schema.ts';
export { insertMember, putInstallationMember, touchMembers, type InstallationRoles } from './store.ts';
