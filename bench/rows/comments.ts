import type { Api } from '../api.ts';
import type { Row } from '../row.ts';

interface Named {
  readonly id: string;
}

const ABREAST = 16;

async function aSpace(api: Api): Promise<string> {
  const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
  const { id } = await api.send<Named>({ method: 'POST', path, body: { title: 'Discussed' } });
  return `/v1/spaces/${id}`;
}

const posting = (path: string) => (n: number) => ({
  method: 'POST' as const,
  path,
  body: { body: { markdown: `Is *this* so? Number ${n}.` } },
});

/** The comments of a space that has so many. */
const commentsOf = (count: number) => async (api: Api) => {
  const path = `${await aSpace(api)}/comments`;
  for (let made = 0; made < count; made += ABREAST) {
    await Promise.all(Array.from({ length: ABREAST }, (_each, n) => api.send(posting(path)(made + n))));
  }
  return { path };
};

export const commentRows: readonly Row[] = [
  { name: 'list 50 comments', setup: commentsOf(48), target: { ratio: 0.05 } },
  { name: 'first 50 of 2000 comments', setup: commentsOf(2000), target: { ratio: 0.05 } },
  {
    name: 'get comment',
    setup: async (api) => {
      const path = `${await aSpace(api)}/comments`;
      const { id } = await api.send<Named>(posting(path)(0));
      return { path: `${path}/${id}` };
    },
  },
  {
    name: 'post comment, all in one space',
    setup: async (api) => posting(`${await aSpace(api)}/comments`),
    target: { perSecond: 1000 },
  },
  {
    name: 'post comment, all in one change request',
    setup: async (api) => {
      const space = await aSpace(api);
      const { id } = await api.send<Named>({ method: 'POST', path: `${space}/change-requests`, body: {} });
      return posting(`${space}/change-requests/${id}/comments`);
    },
  },
];
