import type { Database } from '../../../platform/database/connection.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { deliverIntegrationEvent, queueOf } from './jobs.ts';
import { insertEvent, type NewEvent } from './store.ts';

/** Records an event in the transaction in which it happened, and delivers it later, if there is where to. */
export async function recordIntegrationEvent(db: Database, event: NewEvent): Promise<void> {
  const eventId = await insertEvent(db, event);
  if (eventId !== undefined)
    await enqueue(db, deliverIntegrationEvent, { eventId }, { queue: queueOf(event.integrationId) });
}
