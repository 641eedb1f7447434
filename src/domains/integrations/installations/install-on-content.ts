import type { Context } from '../../../platform/api/context.ts';
import { conflict } from '../../../platform/api/errors.ts';
import { recordIntegrationEvent } from '../events/record.ts';
import type { IntegrationEventPayload } from '../events/store.ts';
import { requireConfiguration } from './configuration.ts';
import * as store from './content-store.ts';
import { coverInstallation } from './cover.ts';
import type { ContentInstallationRow, InstallationRow } from './policy.ts';
import { statusOfContent } from './present.ts';
import type { ContentInstallationPatch } from './schema.ts';
import { lockInstallation } from './store.ts';

type Kind = store.ContentKind;

/** Installs an integration of the organization on a space or site, which the caller is an admin of. */
export async function installOn(
  ctx: Context,
  kind: Kind,
  installation: InstallationRow,
  contentId: string,
): Promise<ContentInstallationRow> {
  const { target, installation_id: id } = installation;
  if (target !== 'all' && target !== kind)
    throw conflict(`The integration "${installation.integration_name}" is not made for ${kind}s.`);
  await lockInstallation(ctx.db, id);
  if (!(await store.insertContentInstallation(ctx.db, kind, id, contentId)))
    throw conflict(`The integration is installed on this ${kind} already. Update that installation.`);
  await coverInstallation(ctx.db, id);
  const row = await store.getContentInstallation(ctx.db, ctx.caller.id, kind, id, contentId);
  await record(ctx, kind, row, { type: `${kind}_installation_setup`, status: statusOfContent(kind, row) });
  return row;
}

export async function updateOn(
  ctx: Context,
  kind: Kind,
  row: ContentInstallationRow,
  patch: ContentInstallationPatch,
): Promise<ContentInstallationRow> {
  if (Object.keys(patch).length === 0) return row;
  if (patch.configuration) requireConfiguration(row.configurations[kind], patch.configuration);
  await store.updateContentInstallation(ctx.db, kind, row, patch);
  const updated = await store.getContentInstallation(
    ctx.db,
    ctx.caller.id,
    kind,
    row.installation_id,
    row.content_id,
  );
  const previous = { status: statusOfContent(kind, row), configuration: row.configuration };
  if (patch.configuration)
    await record(ctx, kind, updated, {
      type: `${kind}_installation_setup`,
      status: statusOfContent(kind, updated),
      previous,
    });
  return updated;
}

export async function uninstallFrom(ctx: Context, kind: Kind, row: ContentInstallationRow): Promise<void> {
  await lockInstallation(ctx.db, row.installation_id);
  await store.deleteContentInstallation(ctx.db, kind, row);
  await coverInstallation(ctx.db, row.installation_id);
  const previous = { configuration: row.configuration };
  await record(ctx, kind, row, { type: `${kind}_installation_deleted`, previous });
}

const record = (ctx: Context, kind: Kind, row: ContentInstallationRow, payload: IntegrationEventPayload) =>
  recordIntegrationEvent(ctx.db, {
    integrationId: row.integration_id,
    installationId: row.installation_id,
    organizationId: row.organization_id,
    payload: { ...payload, installationId: row.installation_id, [`${kind}Id`]: row.content_id },
  });
