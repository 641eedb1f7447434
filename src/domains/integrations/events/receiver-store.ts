import { sql } from 'kysely';
import type { Database } from '../../../platform/database/connection.ts';
import type { IntegrationScope } from '../policy.ts';

interface Place {
  readonly organizationId: string;
  readonly spaceId: string;
  /** Of what happened on a site: it must cover the site instead of the space. */
  readonly siteId: string | null;
  readonly scope: IntegrationScope;
}

interface Receiver {
  readonly integrationId: string;
  readonly installationId: string;
}

/** Installations that cover the place, are not paused, and have the scope. */
export async function listReceivers(
  db: Database,
  { organizationId, spaceId, siteId, scope }: Place,
): Promise<readonly Receiver[]> {
  const { rows } = await sql<Receiver>`
    select i.integration_id as "integrationId", i.id as "installationId"
    from integration_installations i join integrations n on n.id = i.integration_id
    where i.organization_id = ${organizationId} and not i.is_paused
      and ${scope} = any(i.scopes) and ${scope} = any(n.scopes)
      and case when ${siteId}::text is null
        then i.space_selection = 'all' or exists (
          select from integration_space_installations si where si.installation_id = i.id and si.space_id = ${spaceId})
        else i.site_selection = 'all' or exists (
          select from integration_site_installations si where si.installation_id = i.id and si.site_id = ${siteId}) end
    order by i.id`.execute(db);
  return rows;
}
