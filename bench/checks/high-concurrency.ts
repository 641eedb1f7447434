import type { Api } from '../api.ts';
import { atMost, type Check } from '../check.ts';
import { proposeEdit } from '../change-request.ts';
import { createSpace, spaceOf } from '../space.ts';

/** Highly concurrent requests: how many results are wrong. `test/high-concurrency.test.ts` asserts the same. */

const range = (count: number) => Array.from({ length: count }, (_each, n) => n);
const NO_ERRORS = atMost(0, 'wrong');
/** Disjoint from the edits of other checks. */
const FIRST_EDIT = 50_000_000;

const comments: Check = {
  name: '1000 concurrent comments: missing or not counted',
  aim: NO_ERRORS,
  async measure({ api }) {
    const path = `/v1/spaces/${await createSpace(api)}`;
    const texts = range(1000).map((n) => `Comment ${n}`);
    await Promise.all(
      texts.map((markdown) =>
        api.send({ method: 'POST', path: `${path}/comments`, body: { body: { markdown } } }),
      ),
    );
    const { items } = await api.send<{ items: { body: { markdown: string } }[] }>({
      path: `${path}/comments?limit=1000`,
    });
    const stored = new Set(items.map(({ body }) => body.markdown));
    const { comments: counted } = await api.send<{ comments: number }>({ path });
    return texts.filter((text) => !stored.has(text)).length + Math.abs(counted - texts.length);
  },
};

const numbers: Check = {
  name: '1000 concurrent change requests: unused numbers from 1 to 1000',
  aim: NO_ERRORS,
  async measure({ api }) {
    const path = `/v1/spaces/${await createSpace(api)}/change-requests`;
    const created = await Promise.all(
      range(1000).map(() => api.send<{ number: number }>({ method: 'POST', path, body: {} })),
    );
    const stored = new Set(created.map(({ number }) => number));
    return range(1000).filter((n) => !stored.has(n + 1)).length;
  },
};

/** All merges but one must be refused with 409. */
const isMerged = (api: Api, path: string): Promise<boolean> =>
  api.send({ method: 'POST', path: `${path}/merge` }).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('answered 409')) return false;
      throw error;
    },
  );

const mergedOnce: Check = {
  name: '200 concurrent merges of one request: more or less than one',
  aim: NO_ERRORS,
  async measure({ api }) {
    const request = await proposeEdit(api, await spaceOf(api, 20), FIRST_EDIT);
    const merged = await Promise.all(range(200).map(() => isMerged(api, request)));
    return Math.abs(merged.filter(Boolean).length - 1);
  },
};

const mergedAll: Check = {
  name: '100 concurrent merges into one space: missing in its history',
  aim: NO_ERRORS,
  async measure({ api }) {
    const space = await spaceOf(api, 500);
    const requests: string[] = [];
    for (const n of range(100)) requests.push(await proposeEdit(api, space, FIRST_EDIT + n));
    await Promise.all(requests.map((path) => api.send({ method: 'POST', path: `${path}/merge` })));
    const { items } = await api.send<{ items: { mergedFrom?: { id: string } }[] }>({
      path: `/v1/spaces/${space.id}/revisions?limit=100`,
    });
    const stored = new Set(items.map(({ mergedFrom }) => mergedFrom?.id));
    return requests.filter((path) => !stored.has(path.split('/').at(-1))).length;
  },
};

export const concurrencyChecks: readonly Check[] = [comments, numbers, mergedOnce, mergedAll];
