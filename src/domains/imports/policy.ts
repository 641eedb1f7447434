import { atLeast, leastRole, resource, type Authorised } from '../access/index.ts';
import { requestContent, type RequestContentRow } from '../change-requests/index.ts';
import { contentNeeds } from '../revisions/index.ts';
import { rowsInside } from '../spaces/index.ts';
import { userOf, type UserColumns } from '../users/index.ts';

export type RunStatus = 'pending' | 'in-progress' | 'completed' | 'failed' | 'cancelled';

export interface RunRow extends Authorised {
  readonly organization_id: string;
  readonly space_id: string;
  readonly import_run_id: string;
  readonly change_request_id: string | null;
  readonly page_id: string | null;
  readonly user_id: string | null;
  readonly creator: UserColumns | null;
  readonly source: object;
  readonly status: RunStatus;
  readonly found: number;
  readonly imported: number;
  readonly skipped: number;
  readonly revision_id: string | null;
  readonly error: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
}

/** The columns do not include the pages and the list of skipped resources, which may be long. */
const COLUMNS = `
  run.id as import_run_id, run.change_request_id, run.page_id, run.user_id, ${userOf('run.user_id')} as creator, run.source,
  run.status, run.found, run.imported, run.skipped, run.revision_id, run.error, run.created_at, run.started_at,
  run.completed_at`;

/** Imports in the background. Only those who may edit the space see them. */
export const importRuns = resource<RunRow>()({
  name: 'Import run',
  key: 'import_run_id',
  rows: rowsInside(COLUMNS, `join import_runs run on run.space_id = s.id and r.role >= '${leastRole.edit}'`),
  match: 'run.id = any(:ids)',
  needs: {
    view: leastRole.edit,
    cancel: (row, callerId) =>
      atLeast(row.role, row.user_id === callerId ? leastRole.edit : leastRole.review),
  },
});

/** Change requests by their ids alone, because the path names no space. */
export const requestTargets = resource<RequestContentRow>()({
  name: requestContent.name,
  key: requestContent.key,
  rows: requestContent.rows,
  match: 'cr.id = any(:ids)',
  needs: contentNeeds,
});
