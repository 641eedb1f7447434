import type { Addresses } from '../../platform/api/context.ts';
import type { RunRow } from './policy.ts';
import type { RunSource, Skipped } from './schema.ts';
import type { Counts, RunLists } from './runs/store.ts';

/** More would make the answer of a large import long; its numbers are exact. */
const LISTED = 100;

/** The answer of an import. */
export const presentImport = ({
  revisionId,
  found,
  imported,
  skippedList,
}: Counts & { readonly revisionId: string; readonly skippedList: readonly Skipped[] }) => ({
  revision: revisionId,
  importedResources: imported,
  totalResources: found,
  skipped: skippedList.slice(0, LISTED),
});

/** `lists`: only where one run is shown. */
export const presentRun = (row: RunRow, addresses: Addresses, lists?: RunLists) => ({
  object: 'import-run' as const,
  id: row.import_run_id,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  ...(row.started_at && { startedAt: row.started_at.toISOString() }),
  ...(row.completed_at && { completedAt: row.completed_at.toISOString() }),
  progress: { found: row.found, imported: row.imported, skipped: row.skipped },
  ...(lists?.pages && { pages: [...lists.pages] }),
  ...(lists?.skipped_list && { skipped: [...lists.skipped_list] }),
  ...(row.revision_id !== null && { revision: row.revision_id }),
  ...(row.error !== null && { error: { message: row.error } }),
  source: row.source as RunSource,
  target: {
    space: row.space_id,
    ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
    ...(row.page_id !== null && { page: row.page_id }),
  },
  ...(row.creator && { createdBy: row.creator.user_id }),
  urls: { location: addresses.of(runPath(row)) },
});

export const runPath = ({ organization_id, import_run_id }: RunRow): string =>
  `/v1/org/${organization_id}/imports/${import_run_id}`;
