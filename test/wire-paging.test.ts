import { beforeAll, describe, expect, test } from 'vitest';
import { insertToken } from '../src/domains/users/index.ts';
import { newId } from '../src/platform/api/ids.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
import { aMember, aPerson, aSide, type Person, type Side } from './world.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startApp();
});

interface Item {
  readonly id?: string;
  readonly team?: { readonly id: string };
  readonly organization?: { readonly id: string };
}

/** A list to page through: how to add an item, how to remove one, and as which caller. */
interface List {
  readonly url: string;
  readonly token: string;
  add(): Promise<string>;
  remove(id: string): Promise<unknown>;
  readonly idOf?: (item: Item) => string;
}

interface Walked {
  readonly ids: string[];
  readonly counts: number[];
  readonly pages: number;
}

/** From the first page to the last, calling `between` after each. */
async function walk(
  list: List,
  limit: number,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<Walked> {
  const ids: string[] = [];
  const counts: number[] = [];
  let page: string | undefined;
  for (let pages = 1; ; pages++) {
    const { status, body, text } = await app.call('GET', list.url, {
      token: list.token,
      query: { limit, ...(page ? { page } : {}) },
    });
    expect(status, text).toBe(200);
    expect(body.items.length).toBeLessThanOrEqual(limit);
    ids.push(...body.items.map(list.idOf ?? ((item: Item) => item.id)));
    counts.push(body.count);
    if (!body.next) return { ids, counts, pages };
    expect(body.items).toHaveLength(limit);
    expect(Object.keys(body.next)).toEqual(['page']);
    ({ page } = body.next);
    expect(pages).toBeLessThan(200);
    await between(pages);
  }
}

const call = async (method: string, path: string, person: Person, body?: unknown): Promise<Answer> => {
  const answer = await app.call(method, path, {
    token: person.token,
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

async function createTeam(side: Side): Promise<string> {
  const answer = await call('PUT', `/v1/orgs/${side.organizationId}/teams`, side.admin, { title: 'Team' });
  return answer.body.id;
}

const memberList = (side: Side, query = ''): List => {
  const url = `/v1/orgs/${side.organizationId}/members`;
  return {
    url: url + query,
    token: side.admin.token,
    add: async () => (await aMember(app, side.organizationId, 'read')).id,
    remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
  };
};

/** The admin, who lists, has been seen from the start: the periodic record of last uses does not change the order. */
async function memberListByLastSeen(side: Side, query: string): Promise<List> {
  await app.sql('update members set last_seen_at = now() where user_id = $1', [side.admin.id]);
  return memberList(side, query);
}

/** A list of a new site. */
async function siteList(
  side: Side,
  kind: 'sections' | 'section-groups' | 'site-spaces' | 'share-links',
): Promise<List> {
  const organization = `/v1/orgs/${side.organizationId}`;
  const create = async (path: string, body: object) =>
    (await call('POST', organization + path, side.admin, body)).body.id;
  const url = `/sites/${await create('/sites', { title: 'Paged' })}/${kind}`;
  const add = async (): Promise<string> =>
    kind === 'share-links'
      ? create(url, { name: 'Link' })
      : kind === 'section-groups'
        ? create(url, { title: 'Group' })
        : create(url, { spaceId: await create('/spaces', { title: 'Shown' }) });
  const remove = (id: string) => call('DELETE', `${organization}${url}/${id}`, side.admin);
  return { url: organization + url, token: side.admin.token, add, remove };
}

/** Every list of people, organizations and sites. */
const lists: Record<string, (side: Side) => Promise<List>> = {
  organizations: async () => {
    const person = await aPerson(app, 'founder');
    return {
      url: '/v1/orgs',
      token: person.token,
      add: async () => (await call('POST', '/v1/orgs', person, { title: 'One of many' })).body.id,
      remove: (id) => app.sql('delete from organizations where id = $1', [id]),
    };
  },
  tokens: async () => {
    const person = await aPerson(app, 'holder');
    return {
      url: '/v1/user/tokens',
      token: person.token,
      add: async () =>
        (await insertToken(app.app.installation.connection.db, person.id, { label: 'x' })).row.token_id,
      remove: (id) => call('DELETE', `/v1/user/tokens/${id}`, person),
    };
  },
  members: async (side) => memberList(side),
  'members, oldest first': async (side) => memberList(side, '?order=asc'),
  'members, by last seen': (side) => memberListByLastSeen(side, '?sort=lastSeenAt'),
  'members, by last seen, never first': (side) => memberListByLastSeen(side, '?sort=lastSeenAt&order=asc'),
  'members with a role': async (side) => memberList(side, '?role=read'),
  teams: async (side) => {
    const url = `/v1/orgs/${side.organizationId}/teams`;
    return {
      url,
      token: side.admin.token,
      add: () => createTeam(side),
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
    };
  },
  'members of a team': async (side) => {
    const url = `/v1/orgs/${side.organizationId}/teams/${await createTeam(side)}/members`;
    return {
      url,
      token: side.admin.token,
      add: async () => {
        const { id } = await aMember(app, side.organizationId, 'read');
        await call('PUT', `${url}/${id}`, side.admin);
        return id;
      },
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
      idOf: (item) => item.organization?.id ?? '',
    };
  },
  'teams of a member': async (side) => {
    const { id: member } = await aMember(app, side.organizationId, 'read');
    const inOrganization = `/v1/orgs/${side.organizationId}`;
    return {
      url: `${inOrganization}/members/${member}/teams`,
      token: side.admin.token,
      add: async () => {
        const id = await createTeam(side);
        await call('PUT', `${inOrganization}/teams/${id}/members/${member}`, side.admin);
        return id;
      },
      remove: (id) => call('DELETE', `${inOrganization}/teams/${id}/members/${member}`, side.admin),
      idOf: (item) => item.team?.id ?? '',
    };
  },
  'invitations by e-mail': async (side) => {
    const url = `/v1/orgs/${side.organizationId}/invites`;
    return {
      url,
      token: side.admin.token,
      add: async () => {
        const email = `${newId().toLowerCase()}@invited.example`;
        await call('POST', url, side.admin, { emails: [email] });
        const [row] = await app.sql('select id from invites where email = $1', [email]);
        return String(row?.['id']);
      },
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
    };
  },
  sites: async (side) => {
    const url = `/v1/orgs/${side.organizationId}/sites`;
    return {
      url,
      token: side.admin.token,
      add: async () => (await call('POST', url, side.admin, { title: 'One of many' })).body.id,
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
    };
  },
  'sections of a site': (side) => siteList(side, 'sections'),
  'section groups of a site': (side) => siteList(side, 'section-groups'),
  'site spaces of a site': (side) => siteList(side, 'site-spaces'),
  'share links of a site': (side) => siteList(side, 'share-links'),
  'invite links': async (side) => {
    const url = `/v1/orgs/${side.organizationId}/link-invites`;
    return {
      url,
      token: side.admin.token,
      add: async () => (await call('POST', url, side.admin, { role: 'read' })).body.id,
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
    };
  },
};

describe.each(Object.entries(lists))('the list of %s', (_name, prepare) => {
  let side: Side;
  beforeAll(async () => {
    side = await aSide(app, newId().toLowerCase().slice(0, 8));
  });

  test.each([1, 2, 3])(
    'skips and repeats no item while rows are added and removed, %i at a time',
    async (limit) => {
      const list = await prepare(side);
      const added: string[] = [];
      for (let i = 0; i < 10; i++) added.push(await list.add());
      const before = await walk(list, 1000);
      expect(before.ids).toEqual(expect.arrayContaining(added));
      expect(before.counts).toEqual([before.ids.length]);

      const removed = new Set<string>();
      const walked = await walk(list, limit, async (page) => {
        if (page > 5) return;
        await list.add();
        // Alternately from either end: some were listed already, some were not.
        const victim = page % 2 === 0 ? added.shift() : added.pop();
        if (victim) removed.add(victim);
        if (victim) await list.remove(victim);
      });
      expect(removed.size).toBeGreaterThan(1);
      expect(new Set(walked.ids).size).toBe(walked.ids.length);
      const remaining = before.ids.filter((id) => !removed.has(id));
      const shown = walked.ids.filter((id) => remaining.includes(id));
      expect(shown).toEqual(remaining);
      // The count stays that of the first page.
      expect(new Set(walked.counts)).toEqual(new Set([before.ids.length]));
    },
  );

  test('has a count and no items at limit 0, and the same items paged as at once', async () => {
    const list = await prepare(side);
    for (let i = 0; i < 5; i++) await list.add();
    const all = await walk(list, 1000);
    const { body } = await app.call('GET', list.url, { token: list.token, query: { limit: 0 } });
    expect(body).toEqual({ count: all.ids.length, items: [] });
    for (const limit of [1, 2, 3, all.ids.length - 1, all.ids.length, all.ids.length + 1]) {
      const walked = await walk(list, limit);
      expect(walked.ids).toEqual(all.ids);
      expect(walked.pages).toBe(Math.ceil(all.ids.length / limit));
    }
  });
});
