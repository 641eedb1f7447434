import type { Context } from '../../platform/api/context.ts';
import { readRows } from '../../platform/access/read-rows.ts';
import { findPublicOrganizations, organizations } from '../organizations/index.ts';
import type { IntegrationRow } from './policy.ts';
import { presentIntegration, type Owners } from './present.ts';

/** Integrations with their publishers, which two statements read for all of them. */
export async function presentIntegrations(ctx: Context, rows: readonly IntegrationRow[]) {
  const owners = await readOwners(ctx, rows);
  return rows.map((row) => presentIntegration(ctx, row, owners));
}

export async function presentOne(ctx: Context, row: IntegrationRow) {
  return presentIntegration(ctx, row, await readOwners(ctx, [row]));
}

async function readOwners(ctx: Context, rows: readonly IntegrationRow[]): Promise<Owners> {
  const ids = [...new Set(rows.map((row) => row.owner_id))];
  const own = await readRows(ctx, organizations, ids);
  const foreign = ids.filter((id) => !own.has(id));
  return { own, others: await findPublicOrganizations(ctx.db, foreign) };
}
