import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from './api.ts';
import { shared } from './row.ts';
import { createSpace, type Space } from './space.ts';

/** A space with the pages of a specification of 1,000 operations, about 5 MB. */
export interface ApiReference extends Space {
  /** From the upload until the last operation was found. */
  readonly seconds: number;
}

const OPERATIONS = 1000;
const TAGS = 40;
const PROPERTIES = 12;
const LIMIT_MS = 120_000;

const textOf = (n: number): string =>
  `Reads the part ${n} of a machine, with what belongs to it, as it was at the time of the request. `.repeat(
    4,
  );

const schemaOf = (n: number): object => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: PROPERTIES }, (_each, property) => [
      `property${property}`,
      property === 0 && n > 0
        ? { $ref: `#/components/schemas/Part${n - 1}` }
        : { type: 'string', description: textOf(property).slice(0, 150), example: `value ${property}` },
    ]),
  ),
});

function specification(): string {
  const paths: Record<string, object> = {};
  const schemas: Record<string, object> = {};
  for (let n = 0; n < OPERATIONS; n++) {
    const schema = { $ref: `#/components/schemas/Part${n}` };
    const content = { 'application/json': { schema } };
    schemas[`Part${n}`] = schemaOf(n);
    paths[`/machines/{machineId}/parts${n}`] = {
      get: {
        operationId: `readPart${n}`,
        summary: `Read part ${n}`,
        description: textOf(n),
        tags: [`tag ${n % TAGS}`],
        parameters: ['machineId', 'limit', 'page', 'sort'].map((name, index) => ({
          name,
          in: index === 0 ? 'path' : 'query',
          required: index === 0,
          description: textOf(index),
          schema: { type: 'string' },
        })),
        responses: { 200: { description: 'The part', content }, 404: { description: textOf(404) } },
      },
    };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Machines', version: '1' },
    paths,
    components: { schemas },
  });
}

interface Page {
  readonly id: string;
  readonly pages?: readonly Page[];
}

async function createReference(api: Api): Promise<ApiReference> {
  const id = await createSpace(api);
  const { organization } = await api.send<{ organization: string }>({ path: `/v1/spaces/${id}` });
  const slug = 'machines';
  const computed = {
    type: 'builtin:openapi',
    props: { grouping: 'by-operation', models: false },
    dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
  };
  await api.send({
    method: 'POST',
    path: `/v1/spaces/${id}/content`,
    body: { changes: [{ operation: 'insert_page', type: 'computed', computed }] },
  });
  const text = specification();
  const startedAt = performance.now();
  await api.send({
    method: 'POST',
    path: `/v1/orgs/${organization}/openapi`,
    body: { slug, source: { text } },
  });
  await untilFound(api, id, OPERATIONS - 1, startedAt);
  const seconds = (performance.now() - startedAt) / 1000;
  const { pages } = await api.send<{ pages: Page[] }>({ path: `/v1/spaces/${id}/content/pages` });
  const ids = pages.flatMap((page) => (page.pages ?? []).map((below) => below.id));
  if (ids.length !== OPERATIONS) throw new Error(`${ids.length} operations have pages`);
  return { id, pages: ids, seconds };
}

async function untilFound(api: Api, space: string, n: number, startedAt: number): Promise<void> {
  const query = encodeURIComponent(`Read part ${n}`);
  while (performance.now() - startedAt < LIMIT_MS) {
    const { items } = await api.send<{ items: { title: string }[] }>({
      path: `/v1/spaces/${space}/search?query=${query}`,
    });
    if (items.some(({ title }) => title === `Read part ${n}`)) return;
    await delay(50);
  }
  throw new Error(`the page of operation ${n} was not found`);
}

/** Read-only, so that it can be shared. */
export const apiReference = shared(createReference);
