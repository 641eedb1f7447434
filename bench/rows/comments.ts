import type { Api } from '../api.ts';
import type { Row } from '../row.ts';

interface Created {
  readonly id: string;
}

const CONCURRENCY = 16;

async function createSpace(api: Api): Promise<string> {
  const path = `/v1/orgs/${await api.createOrganization()}/spaces`;
  const { id } = await api.send<Created>({ method: 'POST', path, body: { title: 'Discussed' } });
  return `/v1/spaces/${id}`;
}

const postComment = (path: string) => (n: number) => ({
  method: 'POST' as const,
  path,
  body: { body: { markdown: `Is *this* so? Number ${n}.` } },
});

/** The comments of a space with so many comments. */
const commentsOf = (count: number) => async (api: Api) => {
  const path = `${await createSpace(api)}/comments`;
  for (let created = 0; created < count; created += CONCURRENCY) {
    await Promise.all(
      Array.from({ length: CONCURRENCY }, (_each, n) => api.send(postComment(path)(created + n))),
    );
  }
  return { path };
};

export const commentRows: readonly Row[] = [
  { name: 'list 50 comments', setup: commentsOf(48), target: { ratio: 0.05 } },
  { name: 'first 50 of 2000 comments', setup: commentsOf(2000), target: { ratio: 0.05 } },
  {
    name: 'get comment',
    setup: async (api) => {
      const path = `${await createSpace(api)}/comments`;
      const { id } = await api.send<Created>(postComment(path)(0));
      return { path: `${path}/${id}` };
    },
  },
  {
    name: 'post comment, all in one space',
    setup: async (api) => postComment(`${await createSpace(api)}/comments`),
    target: { perSecond: 1000 },
  },
  {
    name: 'post comment, all in one change request',
    setup: async (api) => {
      const space = await createSpace(api);
      const { id } = await api.send<Created>({ method: 'POST', path: `${space}/change-requests`, body: {} });
      return postComment(`${space}/change-requests/${id}/comments`);
    },
  },
];
