import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type Answer, type TestApp } from './app.ts';
import { contentsOf, insert, type Contents } from './content.ts';
import { countLockWaits } from './lock-waits.ts';
import { aWorld, type World } from './world.ts';

/** Concurrent writes to one space are group-committed. Each request is still answered, and refused, by itself. */

let app: TestApp;
let world: World;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  contents = contentsOf(app, world.a);
});

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);
const range = (count: number) => Array.from({ length: count }, (_each, n) => n);

/** Whether rows were written in fewer transactions than there are rows. */
const areGroupCommitted = async (table: 'revisions' | 'comments', spaceId: string) => {
  const [row] = await app.sql(
    `select count(*) > count(distinct xmin::text) as together from ${table} where space_id = $1`,
    [spaceId],
  );
  return row?.['together'];
};

/** Begins a transaction on the connection of `app.sql`. A test that fails must not leave it open. */
async function begin(): Promise<void> {
  await app.sql('begin');
  onTestFinished(async () => void (await app.sql('rollback')));
}

const idOf = (space: string) => space.slice('/v1/spaces/'.length);

describe('concurrent edits of one space', () => {
  test('create one revision each, by its author, on the previous one; refused ones leave no trace', async () => {
    const space = await contents.aSpace();
    const { page } = (await contents.edit(space, insert('First'))).changes[0];
    const etag = (await contents.call('GET', `${space}/content/page/${page.id}`)).headers['etag'] ?? '';
    const { admin, people } = world.a;
    const sent = range(60).map((n) => {
      const kind = ['good', 'bad', 'good', 'reader', 'editor', 'compared'][n % 6] as string;
      const change = {
        good: insert(`Page ${n}`),
        editor: insert(`Page ${n}`),
        bad: { operation: 'delete_page', page: 'nowhere' },
        reader: insert(`Page ${n}`),
        compared: { operation: 'update_page', page: page.id, ifMatch: etag, title: `Compared ${n}` },
      }[kind];
      // The first of the two is valid: a batch is atomic.
      const changes = kind === 'bad' ? [insert(`Lost ${n}`), change] : [change];
      const { token } = kind === 'reader' ? people.read : kind === 'editor' ? people.edit : admin;
      return { n, kind, token, body: { changes } };
    });
    const answers = await Promise.all(
      sent.map(({ token, body }) => app.call('POST', `${space}/content`, { token, body })),
    );

    const expected = { good: 200, bad: 400, reader: 403, editor: 200 } as Record<string, number>;
    const compared = answers.filter((_each, n) => sent[n]?.kind === 'compared');
    expect(statusesOf(compared).toSorted()).toEqual([200, ...range(9).map(() => 412)]);
    for (const [n, { kind }] of sent.entries()) {
      if (kind !== 'compared') expect(answers[n]?.status, `${n} ${answers[n]?.text}`).toBe(expected[kind]);
    }

    const titles = (await contents.pages(space)).map(({ title }) => title as string);
    const done = sent.filter((_each, n) => answers[n]?.status === 200);
    expect(titles.toSorted()).toEqual(
      done.map(({ n, kind }) => (kind === 'compared' ? `Compared ${n}` : `Page ${n}`)).toSorted(),
    );

    const { items } = await contents.get(`${space}/revisions?limit=100`);
    const authors = new Map(items.map((each: Answer['body']) => [each.id, each.author]));
    for (const [n, { kind }] of sent.entries()) {
      if (answers[n]?.status !== 200) continue;
      expect(authors.get(answers[n]?.body.revision)).toBe(kind === 'editor' ? people.edit.id : admin.id);
    }
    const parents = items.slice(0, -1).map((each: Answer['body']) => each.parents[0]);
    expect(parents).toEqual(items.slice(1).map((each: Answer['body']) => each.id));
    expect(new Set(authors.keys()).size).toBe(done.length + 2);
    expect(await areGroupCommitted('revisions', idOf(space))).toBe(true);

    // Each revision contains the result of its own batch on the previous one, intermediate revisions included.
    for (const [n, { kind }] of sent.entries()) {
      if (kind !== 'good') continue;
      const { pages } = await contents.get(`${space}/revisions/${answers[n]?.body.revision}/pages`);
      expect(pages.at(-1).title).toBe(`Page ${n}`);
    }
    const found = await contents.get(`${space}/search?query=Page`);
    expect(found.items.length).toBeGreaterThan(0);
  });

  test('of one page each apply to the result of the previous one', async () => {
    const space = await contents.aSpace();
    const { page } = (await contents.edit(space, insert('Counted', 'None.'))).changes[0];
    const update = (n: number) =>
      contents.edit(space, {
        operation: 'update_page',
        page: page.id,
        document: { markdown: `Number${n} was here.` },
      });
    const edited = await Promise.all(range(40).map(update));
    for (const [n, { revision }] of edited.entries()) {
      const { markdown } = await contents.get(
        `${space}/revisions/${revision}/page/${page.id}?format=markdown`,
      );
      expect(markdown).toBe(`Number${n} was here.`);
    }
    const { markdown } = await contents.page(space, page.id, '?format=markdown');
    const { items } = await contents.get(`${space}/search?query=${encodeURIComponent(markdown)}`);
    expect(
      items.flatMap((each: Answer['body']) => each.sections).map((each: Answer['body']) => each.body),
    ).toEqual([markdown]);
    expect(JSON.stringify(await contents.get(`${space}/search?query=here`)).match(/Number\d+/g)).toEqual([
      /Number\d+/.exec(markdown)?.[0],
    ]);
  });

  test('include a revert to the previous revision, even before that is written', async () => {
    const space = await contents.aSpace();
    const { page } = (await contents.edit(space, insert('Page', 'First.'))).changes[0];
    const revert = { operation: 'revert_page', page: page.id };
    const update = { operation: 'update_page', page: page.id, document: { markdown: 'Second.' } };
    const answers = await Promise.all(
      range(20).map((n) => contents.send(space, [n % 2 === 0 ? update : revert])),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    expect((await contents.page(space, page.id, '?format=markdown')).markdown).toBe('First.');
  });

  test('are refused if the space was locked while they waited', async () => {
    const space = await contents.aSpace();
    const id = idOf(space);
    await begin();
    await app.sql(`update spaces set edit_mode = 'locked' where id = $1`, [id]);
    const waiting = range(10).map((n) => contents.send(space, [insert(`Page ${n}`)]));
    await expect.poll(() => countLockWaits(app)).toBeGreaterThan(0);
    await app.sql('commit');
    expect(new Set(statusesOf(await Promise.all(waiting)))).toEqual(new Set([409]));
  });
});

describe('different operations on one space', () => {
  const createRequest = async (space: string, title: string): Promise<string> => {
    const { body } = await contents.call('POST', `${space}/change-requests`, {});
    const path = `${space}/change-requests/${body.id}`;
    await contents.call('POST', `${path}/content`, { changes: [insert(title)] });
    return path;
  };

  test('wait in one queue: only one of those that need the lock holds a connection', async () => {
    const space = await contents.aSpace();
    const { page } = (await contents.edit(space, insert('First', 'A block.'))).changes[0];
    const { document } = await contents.get(`${space}/content/page/${page.id}?format=document`);
    const requests = await Promise.all([createRequest(space, 'Merged'), createRequest(space, 'Updated')]);
    await begin();
    await app.sql('select from spaces where id = $1 for update', [idOf(space)]);
    const comment = { body: { markdown: 'Why?' }, page: page.id, node: document.nodes[0].key };
    const waiting = [
      contents.send(space, [insert('Second')]),
      contents.call('POST', `${requests[0]}/merge`),
      contents.call('POST', `${space}/comments`, comment),
      contents.call('POST', `${space}/change-requests`, {}),
      contents.call('POST', `${requests[1]}/update`),
    ];
    await expect.poll(() => countLockWaits(app)).toBeGreaterThan(0);
    // Time for the others to wait, too.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const connections = await countLockWaits(app);
    await app.sql('commit');
    expect(statusesOf(await Promise.all(waiting))).toEqual([200, 200, 200, 201, 200]);
    expect(connections).toBe(1);
    const titles = (await contents.pages(space)).map(({ title }) => title as string);
    expect(titles.toSorted()).toEqual(['First', 'Merged', 'Second']);
  });

  test('are committed together, each answered by itself', async () => {
    const space = await contents.aSpace();
    const merged = await Promise.all(range(8).map((n) => createRequest(space, `Merged ${n}`)));
    const answers = await Promise.all(
      range(8).flatMap((n) => [
        contents.send(space, [insert(`Edited ${n}`)]),
        contents.call('POST', `${merged[n]}/merge`),
        contents.call('POST', `${space}/comments`, { body: { markdown: `Comment ${n}` } }),
        contents.call('POST', `${space}/change-requests`, { subject: `Created ${n}` }),
        contents.send(space, [{ operation: 'delete_page', page: 'nowhere' }]),
      ]),
    );
    expect(statusesOf(answers)).toEqual(range(8).flatMap(() => [200, 200, 200, 201, 400]));
    const titles = (await contents.pages(space)).map(({ title }) => title as string);
    expect(titles.toSorted()).toEqual(
      range(8)
        .flatMap((n) => [`Edited ${n}`, `Merged ${n}`])
        .toSorted(),
    );
    expect((await contents.get(space)).comments).toBe(8);
    const [row] = await app.sql(
      `select count(distinct xmin::text)::int as transactions from (
        select xmin from revisions where space_id = $1 and sequence is not null
        union all select xmin from comments where space_id = $1) as written`,
      [idOf(space)],
    );
    // One for the space, one for the first request, and a few batches; not 24.
    expect(row?.['transactions']).toBeLessThan(12);
  });
});

describe('concurrent comments on one space', () => {
  const post = (space: string, markdown: string, more: object = {}) =>
    contents.call('POST', `${space}/comments`, { body: { markdown }, ...more });

  test('are each stored once, as returned', async () => {
    const space = await contents.aSpace();
    const answers = await Promise.all(
      range(80).map((n) => post(space, n % 8 === 7 ? '' : `Comment ${n}`, n % 8 === 6 ? { page: 'no' } : {})),
    );
    const expected = range(80).map((n) => (n % 8 === 7 ? 400 : n % 8 === 6 ? 404 : 200));
    expect(statusesOf(answers)).toEqual(expected);
    const { items } = await contents.get(`${space}/comments?limit=100`);
    const byId = new Map(items.map((each: Answer['body']) => [each.id, each]));
    for (const { status, body } of answers) if (status === 200) expect(byId.get(body.id)).toEqual(body);
    expect(items).toHaveLength(60);
    expect((await contents.get(space)).comments).toBe(60);
    expect(await areGroupCommitted('comments', idOf(space))).toBe(true);
  });

  test('do not fail when the database rejects another one', async () => {
    const space = await contents.aSpace();
    await app.sql(`
      create function refuse() returns trigger language plpgsql as $$
      begin
        if new.markdown like 'Refused%' then raise exception 'refused' using errcode = '23514'; end if;
        return new;
      end $$;
      create trigger refuse before insert on comments for each row execute function refuse()`);
    try {
      const texts = range(40).map((n) => `${n === 20 ? 'Refused' : 'Taken'} ${n}`);
      const answers = await Promise.all(texts.map((text) => post(space, text)));
      expect(statusesOf(answers)).toEqual(texts.map((text) => (text.startsWith('Refused') ? 400 : 200)));
      const { items } = await contents.get(`${space}/comments?limit=100`);
      expect(items.map((each: Answer['body']) => each.body.markdown).toSorted()).toEqual(
        texts.filter((text) => text.startsWith('Taken')).toSorted(),
      );
    } finally {
      await app.sql('drop trigger refuse on comments; drop function refuse()');
    }
  });

  test('are never duplicated, and never lost after a success, while connections are lost', async () => {
    const space = await contents.aSpace();
    const texts = range(300).map((n) => `Comment ${n}`);
    const stopping = new AbortController();
    const terminateConnections = async () => {
      while (!stopping.signal.aborted) {
        await app.sql(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'octavo' and state <> 'idle'`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const terminating = terminateConnections();
    const answers: Answer[] = [];
    try {
      for (const from of [0, 100, 200]) {
        answers.push(...(await Promise.all(texts.slice(from, from + 100).map((text) => post(space, text)))));
      }
    } finally {
      stopping.abort();
      await terminating;
    }
    expect([200, 503]).toEqual(expect.arrayContaining([...new Set(statusesOf(answers))]));
    expect(statusesOf(answers)).toContain(503);
    const { items } = await contents.get(`${space}/comments?limit=1000`);
    const stored = items.map((each: Answer['body']) => each.body.markdown as string);
    expect(new Set(stored).size).toBe(stored.length);
    const acknowledged = texts.filter((_text, n) => answers[n]?.status === 200);
    expect(acknowledged.filter((text) => !stored.includes(text))).toEqual([]);
  });
});
