import type { Answer, TestApp } from './app.ts';
import type { Side } from './world.ts';

/** Helpers for spaces and collections of an organization. */
export type Places = ReturnType<typeof placesOf>;

export interface Pointer {
  readonly before?: string;
  readonly after?: string;
}

export function placesOf(app: TestApp, side: Side) {
  const organization = `/v1/orgs/${side.organizationId}`;
  const kinds = new Map<string, 'space' | 'collection'>();

  /** As the admin, unless another token is given. */
  const call = (method: string, path: string, body?: unknown, token = side.admin.token): Promise<Answer> =>
    app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const get = (path: string, token?: string) => call('GET', path, undefined, token);

  async function make(kind: 'space' | 'collection', input: object, token?: string): Promise<string> {
    const { status, body, text } = await call('POST', `${organization}/${kind}s`, input, token);
    if (status !== 201) throw new Error(`no ${kind}: ${status} ${text}`);
    kinds.set(body.id, kind);
    return body.id;
  }
  const aSpace = (parent?: string, title = 'Space', token?: string) =>
    make('space', { title, ...(parent ? { parent } : {}) }, token);
  const aCollection = (parent?: string, title = 'Collection', token?: string) =>
    make('collection', { title, ...(parent ? { parent } : {}) }, token);

  const pathOf = (id: string) => `/v1/${kinds.get(id) ?? 'space'}s/${id}`;
  const pointerTo = (id: string) => {
    const kind = kinds.get(id) ?? 'space';
    return { type: kind, [kind]: id };
  };
  /** Moves a space or collection into `parent`, next to the siblings that the pointers name. */
  const move = (id: string, { before, after }: Pointer = {}, parent?: string | null, token?: string) =>
    call(
      'POST',
      `${pathOf(id)}/move`,
      {
        ...(parent === undefined ? {} : { parent }),
        ...(before || after
          ? {
              position: {
                ...(before ? { before: pointerTo(before) } : {}),
                ...(after ? { after: pointerTo(after) } : {}),
              },
            }
          : {}),
      },
      token,
    );

  /** The ids in a collection, or at the root, in order; positions must be distinct. */
  async function order(parent: string | null, organizationId = side.organizationId): Promise<string[]> {
    const rows = await app.sql(
      `select id, position from (
         select id, position, parent_id, organization_id from spaces
         union all select id, position, parent_id, organization_id from collections) sibling
       where organization_id = $1 and parent_id is not distinct from $2 order by position collate "C"`,
      [organizationId, parent],
    );
    if (new Set(rows.map((row) => row['position'])).size < rows.length)
      throw new Error('two at one position');
    return rows.map((row) => String(row['id']));
  }

  const share = (id: string, role: string | null, to: { users?: string[]; teams?: string[] }) =>
    call('POST', `${pathOf(id)}/permissions`, { role, ...to });

  return { organization, call, get, make, aSpace, aCollection, pathOf, pointerTo, move, order, share };
}

/** The statuses of concurrent responses. */
export const statuses = async (answers: readonly Promise<Answer>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);

/** Deterministic pseudo-random numbers from 0 to below `limit`. */
export function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
