import type { Api } from './api.ts';
import { editAt, type Space } from './space.ts';

/** A change request that edits one page; its path. The n-th edit is of another page than the one before. */
export async function proposeEdit(api: Api, space: Space, n: number): Promise<string> {
  const requests = `/v1/spaces/${space.id}/change-requests`;
  const { id } = await api.send<{ id: string }>({ method: 'POST', path: requests, body: {} });
  const { page, markdown } = editAt(space.pages.length, n);
  await api.send({
    method: 'POST',
    path: `${requests}/${id}/content`,
    body: { changes: [{ operation: 'update_page', page: space.pages[page], document: { markdown } }] },
  });
  return `${requests}/${id}`;
}

/** All of them, so many at once; the seconds it took. */
export async function timed<T>(
  all: readonly T[],
  abreast: number,
  work: (each: T) => Promise<unknown>,
): Promise<number> {
  const waiting = [...all];
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: abreast }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    }),
  );
  return (performance.now() - begun) / 1000;
}
