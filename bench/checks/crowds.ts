import type { Api } from '../api.ts';
import { atMost, type Check } from '../check.ts';
import { proposeEdit } from '../request.ts';
import { createSpace, spaceOf } from '../space.ts';

/** Many at the same moment: how many of them are not as they should be. They are tests, too (`test/crowds.test.ts`). */

const range = (count: number) => Array.from({ length: count }, (_each, n) => n);
const NONE = atMost(0, 'wrong');
/** Far from the edits of others. */
const FIRST_EDIT = 50_000_000;

const comments: Check = {
  name: '1000 comments posted at once: not there, or not counted',
  aim: NONE,
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
    const there = new Set(items.map(({ body }) => body.markdown));
    const { comments: counted } = await api.send<{ comments: number }>({ path });
    return texts.filter((text) => !there.has(text)).length + Math.abs(counted - texts.length);
  },
};

const numbers: Check = {
  name: '1000 change requests created at once: numbers of 1 to 1000 that none has',
  aim: NONE,
  async measure({ api }) {
    const path = `/v1/spaces/${await createSpace(api)}/change-requests`;
    const made = await Promise.all(
      range(1000).map(() => api.send<{ number: number }>({ method: 'POST', path, body: {} })),
    );
    const there = new Set(made.map(({ number }) => number));
    return range(1000).filter((n) => !there.has(n + 1)).length;
  },
};

/** 409 is what all but one are to be told. */
const isMerged = (api: Api, path: string): Promise<boolean> =>
  api.send({ method: 'POST', path: `${path}/merge` }).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('answered 409')) return false;
      throw error;
    },
  );

const mergedOnce: Check = {
  name: '200 merges of one request at once: merges but one',
  aim: NONE,
  async measure({ api }) {
    const request = await proposeEdit(api, await spaceOf(api, 20), FIRST_EDIT);
    const merged = await Promise.all(range(200).map(() => isMerged(api, request)));
    return Math.abs(merged.filter(Boolean).length - 1);
  },
};

const mergedAll: Check = {
  name: '100 requests merged at once into one space: not in its history',
  aim: NONE,
  async measure({ api }) {
    const space = await spaceOf(api, 500);
    const requests: string[] = [];
    for (const n of range(100)) requests.push(await proposeEdit(api, space, FIRST_EDIT + n));
    await Promise.all(requests.map((path) => api.send({ method: 'POST', path: `${path}/merge` })));
    const { items } = await api.send<{ items: { mergedFrom?: { id: string } }[] }>({
      path: `/v1/spaces/${space.id}/revisions?limit=100`,
    });
    const there = new Set(items.map(({ mergedFrom }) => mergedFrom?.id));
    return requests.filter((path) => !there.has(path.split('/').at(-1))).length;
  },
};

export const crowdChecks: readonly Check[] = [comments, numbers, mergedOnce, mergedAll];
