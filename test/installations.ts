import { expect } from 'vitest';
import { deliverIntegrationEvent } from '../src/domains/integrations/events/jobs.ts';
import type { TestApp } from './app.ts';
import { jobContext } from './import-runs.ts';
import { anIntegration } from './integrations.ts';
import type { Side } from './world.ts';

export interface Installed {
  readonly name: string;
  readonly id: string;
  /** Path of the installation. */
  readonly path: string;
  readonly body: { readonly status: string };
}

/** An integration of `publisher`, installed on the organization of `side`. */
export async function install(
  app: TestApp,
  publisher: Side,
  side: Side,
  more: object = {},
): Promise<Installed> {
  const name = await anIntegration(app, publisher, { visibility: 'public', ...more });
  const path = `/v1/integrations/${name}/installations`;
  const body = { organization: side.organizationId };
  const { status, text, body: created } = await app.call('POST', path, { token: side.admin.token, body });
  if (status !== 201) throw new Error(`the installation was refused: ${status} ${text}`);
  return { name, id: created.id, path: `${path}/${created.id}`, body: created };
}

/** A token of the installation, which an admin of the publisher creates. */
export async function tokenOf(app: TestApp, publisher: Side, installed: Installed): Promise<string> {
  const { status, body } = await app.call('POST', `${installed.path}/tokens`, {
    token: publisher.admin.token,
  });
  expect(status).toBe(200);
  return body.token;
}

/** Performs the deliveries that are due, as a worker does; the number of those that wait for a later time. */
export async function deliverDue(app: TestApp): Promise<number> {
  await app.tellReaders();
  const due = await app.sql(
    `select j.id, p.payload ->> 'eventId' as event_id, j.run_at <= now() as is_due from graphile_worker.jobs j
     join graphile_worker._private_jobs p on p.id = j.id
     where j.task_identifier = 'integrations.deliver' order by j.id`,
  );
  for (const { id, event_id: eventId, is_due: isDue } of due) {
    if (!isDue) continue;
    await app.sql('delete from graphile_worker._private_jobs where id = $1', [id]);
    await deliverIntegrationEvent.run(jobContext(app), { eventId: String(eventId) });
  }
  return due.filter(({ is_due: isDue }) => !isDue).length;
}
