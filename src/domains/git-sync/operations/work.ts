import type { Context } from '../../../platform/api/context.ts';
import type { Database } from '../../../platform/database/connection.ts';
import type { JobContext } from '../../../platform/jobs/job.ts';
import type { SpaceRow } from '../../spaces/index.ts';
import type { OperationLog } from './operation-log.ts';
import type { ClaimedOperation, Progress } from './store.ts';

/** An operation while it is carried out. */
export interface Work {
  readonly ctx: JobContext;
  readonly operation: ClaimedOperation;
  readonly log: OperationLog;
  /** Aborted when another job has claimed the operation, or when it takes too long. */
  readonly signal: AbortSignal;
  /** The space, if the user who asked for the operation may still synchronize it; and the context of that user. */
  readonly authorise: (db: Database) => Promise<{ readonly context: Context; readonly space: SpaceRow }>;
  readonly progress: () => Progress;
  readonly report: (progress: Partial<Progress>) => void;
}
