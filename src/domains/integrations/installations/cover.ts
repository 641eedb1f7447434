import type { Database } from '../../../platform/database/connection.ts';
import { replaceGrants } from '../../access/index.ts';
import { putInstallationMember } from '../../members/index.ts';
import { narrowTokens } from '../../users/index.ts';
import { OWN_SCOPE, rolesOf } from './reach.ts';
import { dropScopes, findCoverage, listOverScoped } from './store.ts';

/**
 * Gives the user of an installation the roles that its scopes need, on what it covers: by its membership on all spaces or
 * sites, by grants on selected ones. Tokens lose the scopes that it lost: a role may remain for the sake of another scope.
 * In the transaction of every change of scopes or coverage.
 */
export async function coverInstallation(db: Database, installationId: string): Promise<void> {
  const coverage = await findCoverage(db, installationId);
  const { organization_id: organizationId, user_id: userId } = coverage;
  const roles = rolesOf(coverage.scopes);
  const onAllSpaces = coverage.space_selection === 'all';
  const onAllSites = coverage.site_selection === 'all';
  await putInstallationMember(db, { organizationId, userId }, installationId, {
    spaces: onAllSpaces ? roles.spaces : null,
    sites: onAllSites ? roles.sites : null,
    specs: roles.specs,
  });
  await narrowTokens(db, userId, [OWN_SCOPE, ...coverage.scopes]);
  const onSpaces = onAllSpaces ? null : roles.spaces;
  const onSites = onAllSites ? null : roles.sites;
  await replaceGrants(db, organizationId, userId, [
    ...(onSpaces ? coverage.space_ids.map((id) => ({ subject: { space_id: id }, role: onSpaces })) : []),
    ...(onSites ? coverage.site_ids.map((id) => ({ subject: { site_id: id }, role: onSites })) : []),
  ]);
}

/** After a publication: scopes that the integration no longer asks for are taken from its installations. */
export async function narrowInstallations(db: Database, integrationId: string): Promise<void> {
  for (const id of await listOverScoped(db, integrationId)) {
    await dropScopes(db, id);
    await coverInstallation(db, id);
  }
}
