import type { Context } from '../../../platform/api/context.ts';
import { badRequest, conflict, notFound } from '../../../platform/api/errors.ts';
import { newId } from '../../../platform/api/ids.ts';
import { insertUser } from '../../users/index.ts';
import { recordIntegrationEvent } from '../events/record.ts';
import type { IntegrationEventPayload } from '../events/store.ts';
import type { IntegrationRow } from '../policy.ts';
import { requireConfiguration } from './configuration.ts';
import { coverInstallation } from './cover.ts';
import type { InstallationRow } from './policy.ts';
import { statusOfInstallation } from './present.ts';
import type { InstallationPatch } from './schema.ts';
import * as store from './store.ts';

type Db = Context['db'];

/** Installs an integration on an organization that the caller is an admin of. */
export async function install(
  ctx: Context,
  integration: IntegrationRow,
  organizationId: string,
): Promise<InstallationRow> {
  if (integration.visibility === 'private' && integration.owner_id !== organizationId)
    // Its other members could not see it.
    throw notFound(
      `Integration "${integration.integration_name}", which is private to another organization,`,
    );
  const userId = await insertUser(ctx.db, {
    email: `${newId().toLowerCase()}@installations.invalid`,
    displayName: integration.title,
    isProven: false,
    isInstallation: true,
  });
  const id = await store.insertInstallation(ctx.db, {
    integrationId: integration.integration_id,
    organizationId,
    userId: userId ?? '',
    scopes: integration.scopes,
  });
  if (id === undefined)
    throw conflict(
      `The integration "${integration.integration_name}" is installed on this organization already. Update that installation.`,
    );
  await coverInstallation(ctx.db, id);
  const row = await store.getInstallation(ctx.db, ctx.caller.id, id);
  await recordIntegrationEvent(
    ctx.db,
    eventOf(row, { type: 'installation_setup', status: statusOfInstallation(row) }),
  );
  return row;
}

export async function update(ctx: Context, row: InstallationRow, patch: InstallationPatch) {
  if (Object.keys(patch).length === 0) return row;
  if (patch.configuration) requireConfiguration(row.configurations.account, patch.configuration);
  requireOffered(row, patch.scopes);
  await store.lockInstallation(ctx.db, row.installation_id);
  await store.updateInstallation(ctx.db, row.installation_id, patch);
  if (patch.space_selection || patch.site_selection || patch.scopes)
    await coverInstallation(ctx.db, row.installation_id);
  const updated = await store.getInstallation(ctx.db, ctx.caller.id, row.installation_id);
  const previous = { status: statusOfInstallation(row), configuration: row.configuration };
  const status = statusOfInstallation(updated);
  if (patch.configuration || status !== previous.status)
    await recordIntegrationEvent(ctx.db, eventOf(updated, { type: 'installation_setup', status, previous }));
  return updated;
}

function requireOffered({ offered }: InstallationRow, scopes: InstallationPatch['scopes']): void {
  const other = scopes?.find((scope) => !offered.includes(scope));
  if (other === undefined) return;
  throw badRequest(`body.scopes: the integration does not ask for ${other}.`, [
    { path: 'body.scopes', rule: 'must be scopes of the integration' },
  ]);
}

export async function uninstall(db: Db, row: InstallationRow): Promise<void> {
  await recordIntegrationEvent(
    db,
    eventOf(row, { type: 'installation_deleted', previous: { configuration: row.configuration } }),
  );
  await store.deleteInstallation(db, row.installation_id);
}

const eventOf = (row: InstallationRow, payload: IntegrationEventPayload) => ({
  integrationId: row.integration_id,
  installationId: row.installation_id,
  organizationId: row.organization_id,
  payload: { ...payload, installationId: row.installation_id },
});
