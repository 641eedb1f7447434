import { deliverWebhooks } from '../src/domains/webhooks/delivery/jobs.ts';
import type { Answer, TestApp } from './app.ts';
import { jobContext } from './import-runs.ts';
import type { Person, Side } from './world.ts';

/** Helpers for the webhooks of an organization. */
export type Webhooks = ReturnType<typeof webhooksOf>;

// oxlint-disable-next-line typescript/no-explicit-any -- responses are untyped in tests
type Body = any;

export function webhooksOf(app: TestApp, side: Side) {
  const organization = `/v1/orgs/${side.organizationId}`;
  const call = (method: string, path: string, body?: unknown, by: Person = side.admin): Promise<Answer> =>
    app.call(method, path, { token: by.token, ...(body === undefined ? {} : { body }) });

  async function done(method: string, path: string, body?: unknown, by?: Person): Promise<Body> {
    const answer = await call(method, path, body, by);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  const pathOf = (id: string) => `${organization}/webhooks/${id}`;
  return {
    call,
    done,
    organization,
    pathOf,
    /** Its path and its secret. */
    async subscribe(url: string, more: object = {}, by?: Person): Promise<{ path: string; secret: string }> {
      const body = { url, target: { type: 'organization' }, ...more };
      const { id, secret } = await done('POST', `${organization}/webhooks`, body, by);
      return { path: pathOf(id), secret };
    },
    aSpace: async (title = 'Space'): Promise<string> =>
      `/v1/spaces/${(await done('POST', `${organization}/spaces`, { title, editMode: 'live' })).id}`,
    comment: async (space: string): Promise<string> =>
      (await done('POST', `${space}/comments`, { body: { markdown: 'Why?' } })).id,
    deliveries: async (path: string, query = ''): Promise<Body[]> =>
      (await done('GET', `${path}/deliveries?limit=1000${query}`)).items,
    details: (path: string, id: string): Promise<Body> => done('GET', `${path}/deliveries/${id}`),
  };
}

/** Performs the job until nothing is due soon, as the worker does. */
export const performWebhooks = (app: TestApp): Promise<void> => deliverWebhooks.run(jobContext(app), {});

/** Delivers events to their readers, and what follows to receivers. */
export async function deliverAll(app: TestApp): Promise<void> {
  await app.tellReaders();
  await performWebhooks(app);
}

/** The time of the next attempts has come. */
export async function passTime(app: TestApp): Promise<void> {
  await app.sql('update webhook_lanes set due_at = now()');
  await performWebhooks(app);
}
