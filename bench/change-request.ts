import type { Api } from './api.ts';
import { editAt, type Space } from './space.ts';

/** The path of a new change request that edits one page. Consecutive values of `n` edit different pages. */
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

/** Processes all items with the given concurrency; returns the seconds it took. */
export async function runConcurrently<T>(
  all: readonly T[],
  concurrency: number,
  work: (each: T) => Promise<unknown>,
): Promise<number> {
  const pending = [...all];
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) await work(next);
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
