import Type from 'typebox';
import type { Database } from '../../platform/database/connection.ts';
import { enqueue, job, type Job } from '../../platform/jobs/job.ts';
import { expandSpace } from './expand-space.ts';

const OfSpace = Type.Object({ spaceId: Type.String() });

/** Writes the pages that the entries of computed pages of a space have now. */
export const expandPages: Job<typeof OfSpace> = job({
  name: 'openapi.expand',
  input: OfSpace,
  run: (ctx, { spaceId }) => expandSpace(ctx, spaceId),
});

/** One job of a space waits, and one of an organization runs. */
export const enqueueExpansion = (db: Database, spaceId: string, organizationId: string): Promise<void> =>
  enqueue(db, expandPages, { spaceId }, { key: `expand ${spaceId}`, queue: `expand ${organizationId}` });
