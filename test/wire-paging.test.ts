import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { insertToken } from '../src/domains/users/index.ts';
import { newId } from '../src/platform/ids.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
import { expectError } from './refusal.ts';
import { sampleOf } from './sample.ts';
import { aMember, aPerson, aSide, aWorld, type Person, type Side, type World } from './world.ts';

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

interface Item {
  readonly id?: string;
  readonly team?: { readonly id: string };
  readonly organization?: { readonly id: string };
}

/** A list to walk through: how to put something into it, how to take something out, and who does. */
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

/** From the first page to the last, with `between` after each. */
async function walk(list: List, limit: number, between: (page: number) => Promise<void> = async () => undefined): Promise<Walked> {
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
  const answer = await app.call(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
};

async function aTeam(side: Side): Promise<string> {
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

/** Every list of people and organizations. */
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
      add: async () => (await insertToken(app.app.installation.connection.db, person.id, { label: 'x' })).row.token_id,
      remove: (id) => call('DELETE', `/v1/user/tokens/${id}`, person),
    };
  },
  members: async (side) => memberList(side),
  'members, oldest first': async (side) => memberList(side, '?order=asc'),
  'members, by last seen': async (side) => memberList(side, '?sort=lastSeenAt'),
  'members, by last seen, never first': async (side) => memberList(side, '?sort=lastSeenAt&order=asc'),
  'members with a role': async (side) => memberList(side, '?role=read'),
  teams: async (side) => {
    const url = `/v1/orgs/${side.organizationId}/teams`;
    return {
      url,
      token: side.admin.token,
      add: () => aTeam(side),
      remove: (id) => call('DELETE', `${url}/${id}`, side.admin),
    };
  },
  'members of a team': async (side) => {
    const url = `/v1/orgs/${side.organizationId}/teams/${await aTeam(side)}/members`;
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
        const id = await aTeam(side);
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

  test.each([1, 2, 3])('skips and repeats nothing while rows come and go, %i at a time', async (limit) => {
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
      // In turn one from either end: some were shown already, some were not.
      const victim = page % 2 === 0 ? added.shift() : added.pop();
      if (victim) removed.add(victim);
      if (victim) await list.remove(victim);
    });
    expect(removed.size).toBeGreaterThan(1);
    expect(new Set(walked.ids).size).toBe(walked.ids.length);
    const kept = before.ids.filter((id) => !removed.has(id));
    const shown = walked.ids.filter((id) => kept.includes(id));
    expect(shown).toEqual(kept);
    // The count is that of the first page, to the end.
    expect(new Set(walked.counts)).toEqual(new Set([before.ids.length]));
  });

  test('counts without items at limit 0, and pages as it would all at once', async () => {
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

describe('a page', () => {
  test('has 50 items unless it is said otherwise, and at most 1000', async () => {
    const side = await aSide(app, 'many');
    await app.sql(
      `insert into teams (id, organization_id, title) select 'many' || n, $1, 'Team ' || n from generate_series(1, 1005) n`,
      [side.organizationId],
    );
    const list = (query = '') =>
      app.call('GET', `/v1/orgs/${side.organizationId}/teams${query}`, { token: side.admin.token });
    const usual = await list();
    expect(usual.body.items).toHaveLength(50);
    expect(usual.body.count).toBe(1005);
    const most = await list('?limit=1000');
    expect(most.body.items).toHaveLength(1000);
    const rest = await list(`?limit=1000&page=${encodeURIComponent(most.body.next.page)}`);
    expect(rest.body.items).toHaveLength(5);
    expect(rest.body.next).toBeUndefined();
    // Rows of the very same moment: the id decides, and none is lost.
    const ids = [...most.body.items, ...rest.body.items].map(({ id }: Item) => id);
    expect(new Set(ids).size).toBe(1005);
    for (const query of ['?limit=1001', '?limit=-1', '?limit=0.5', '?limit=NaN']) expectError(await list(query), 400);
  });

  test('may be longer than the one before', async () => {
    const list = memberList(await aSide(app, 'longer'));
    const all = await walk(list, 1000);
    const first = await app.call('GET', list.url, { token: list.token, query: { limit: 2 } });
    const { page } = first.body.next;
    const rest = await app.call('GET', list.url, { token: list.token, query: { limit: 100, page } });
    const ids = [...first.body.items, ...rest.body.items].map(({ id }: Item) => id);
    expect(ids).toEqual(all.ids);
    const none = await app.call('GET', list.url, { token: list.token, query: { limit: 0, page } });
    expect(none.body).toEqual({ count: all.ids.length, items: [] });
  });
});

describe('a cursor', () => {
  let members: string;
  let cursor: string;
  const withCursor = (page: string, url = members, token = world.a.admin.token) =>
    app.call('GET', `${url}${url.includes('?') ? '&' : '?'}limit=2&page=${encodeURIComponent(page)}`, { token });

  beforeAll(async () => {
    members = `/v1/orgs/${world.a.organizationId}/members`;
    const first = await app.call('GET', `${members}?limit=2`, { token: world.a.admin.token });
    cursor = first.body.next.page;
  });

  test('is good again and again, for its caller with any of their tokens', async () => {
    const again = await withCursor(cursor);
    expect(again.status).toBe(200);
    expect((await withCursor(cursor)).text).toBe(again.text);
    const { token } = await insertToken(app.app.installation.connection.db, world.a.admin.id, { label: 'Other' });
    expect((await withCursor(cursor, members, token)).text).toBe(again.text);
  });

  test('of another caller is 400', async () => {
    expectError(await withCursor(cursor, members, world.a.people.read.token), 400, /not a cursor of this list/);
  });

  test('of another operation, organization or filter is 400', async () => {
    const organization = `/v1/orgs/${world.a.organizationId}`;
    expectError(await withCursor(cursor, `${organization}/teams`), 400);
    expectError(await withCursor(cursor, '/v1/orgs'), 400);
    expectError(await withCursor(cursor, '/v1/user/tokens'), 400);
    for (const filter of ['role=read', 'search=a', 'order=asc', 'sort=lastSeenAt']) {
      expectError(await withCursor(cursor, `${members}?${filter}`), 400);
    }
    const { body } = await app.call('POST', '/v1/orgs', { token: world.a.admin.token, body: { title: 'Second' } });
    expectError(await withCursor(cursor, `/v1/orgs/${body.id}/members`), 400);
  });

  test('that says the default aloud is the same list', async () => {
    expect((await withCursor(cursor, `${members}?order=desc&sort=joinedAt`)).status).toBe(200);
  });

  test('that was damaged is 400, whichever bit it is', async () => {
    // A small generator of its own, so that a failure comes again.
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
    const damaged = Array.from({ length: 1500 }, () => {
      const bytes = Buffer.from(cursor, 'latin1');
      const at = random(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes.toString('latin1');
    });
    for (let i = 0; i < damaged.length; i += 50) {
      const answers = await Promise.all(damaged.slice(i, i + 50).map((page) => withCursor(page)));
      answers.forEach((answer, index) => expect(answer.status, damaged[i + index]).toBe(400));
    }
  });

  test('that was cut, lengthened or made up is 400', async () => {
    const [body = '', signature = ''] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify([['2000-01-01', 'x'], 1])).toString('base64url');
    for (const page of [
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      `${cursor}.`,
      `${cursor}.x`,
      ` ${cursor}`,
      `${cursor}=`,
      `${body}=.${signature}`,
      `${cursor}${cursor}`,
      body,
      `${body}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      '',
      '.',
      'null',
      'x'.repeat(4097),
    ]) {
      expectError(await withCursor(page), 400);
    }
  });
});

describe('every list', () => {
  const all = operations.filter(({ query }) => query && 'page' in query.properties);
  test.each(all.map((operation) => [operation.id, operation] as const))('%s takes no cursor of others', async (_id, operation) => {
    const first = await app.call('GET', `/v1/orgs/${world.a.organizationId}/members?limit=1`, { token: world.a.admin.token });
    if (operation.id === 'listMembersInOrganizationById') return;
    const { url, token } = await sampleOf(app, operation, world.a);
    const page = encodeURIComponent(first.body.next.page);
    const [path] = url.split('?');
    expectError(await app.call('GET', `${path}?page=${page}`, { token }), 400);
    const none = await app.call('GET', `${path}?limit=0`, { token });
    expect(none.status, none.text).toBe(200);
    expect(none.body.items).toEqual([]);
    expect(none.body.count).toEqual(expect.any(Number));
    expect(none.body).not.toHaveProperty('next');
  });
});
