import type { Api } from '../api.ts';
import { readOne, type RequestSpec, type Row } from '../row.ts';

interface Created {
  readonly id: string;
}

interface Listed {
  readonly next?: { readonly page: string };
}

const CONCURRENCY = 16;

/** The path of the spaces of a new organization with so many spaces. */
async function spacesIn(api: Api, count: number): Promise<string> {
  const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
  const create = (n: number) => api.send({ method: 'POST', path, body: { title: `Space ${n}` } });
  for (let created = 0; created < count; created += CONCURRENCY) {
    const batchSize = Math.min(CONCURRENCY, count - created);
    await Promise.all(Array.from({ length: batchSize }, (_each, n) => create(created + n)));
  }
  return path;
}

async function oneSpace(api: Api): Promise<RequestSpec> {
  const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
  const { id } = await api.send<Created>({ method: 'POST', path, body: { title: 'Measured' } });
  return { path: `/v1/spaces/${id}` };
}

const firstPage = (count: number) => async (api: Api) => ({ path: await spacesIn(api, count) });

const secondPage = (count: number) => async (api: Api) => {
  const path = await spacesIn(api, count);
  const { next } = await api.send<Listed>({ path });
  return { path: `${path}?page=${encodeURIComponent(next?.page ?? '')}` };
};

export const spaceRows: readonly Row[] = [
  ...readOne('get space', oneSpace),
  { name: 'list 50 spaces', setup: firstPage(50), target: { ratio: 0.05 } },
  { name: 'first page of 100 spaces', setup: firstPage(100) },
  { name: 'first page of 10000 spaces', setup: firstPage(10_000) },
  { name: 'second page of 100 spaces', setup: secondPage(100) },
  {
    name: 'second page of 10000 spaces',
    setup: secondPage(10_000),
    target: { relativeTo: ['second page of 100 spaces', 1.5] },
  },
  {
    name: 'create space',
    setup: async (api) => {
      const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
      return (n) => ({ method: 'POST', path, body: { title: `Space ${n}` } });
    },
  },
];
