import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { placesOf, type Places } from '../../../test/places.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { copySearchIndex, indexPages, type IndexedPage } from '../search-index/index.ts';

let app: TestApp;
let side: Side;
let places: Places;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'search');
  places = placesOf(app, side);
});

/** A page with a title and texts, the first without a heading: `Heading: text`. */
function page(id: string, title: string, ...texts: string[]): IndexedPage {
  return {
    id,
    title,
    path: `guide/${id}`,
    readSections: () =>
      texts.map((text, index) => {
        const [, heading = '', body = text] = /^([\w ]+): (.*)$/s.exec(text) ?? [];
        return { id: heading ? `h${index}` : undefined, title: heading, level: heading ? 2 : 0, text: body };
      }),
  };
}

const publish = (spaceId: string, changed: readonly IndexedPage[], removed: readonly string[] = []) =>
  app.app.installation.connection.db
    .transaction()
    .execute((db) => indexPages({ db, isFront: false }, spaceId, { changed, removed }));

async function aSpaceWith(...pages: IndexedPage[]): Promise<string> {
  const id = await places.aSpace();
  await publish(id, pages);
  return id;
}

const search = (
  spaceId: string,
  query: string,
  more: Record<string, string | number> = {},
): Promise<Answer> =>
  app.call('GET', `/v1/spaces/${spaceId}/search`, { token: side.admin.token, query: { query, ...more } });

async function found(spaceId: string, query: string): Promise<string[]> {
  const { status, body, text } = await search(spaceId, query);
  expect(status, text).toBe(200);
  expect(body.count).toBe(body.items.length);
  return body.items.map((item: { id: string }) => item.id);
}

describe('a search of a space', () => {
  test('returns sections with the text around the match', async () => {
    const space = await aSpaceWith(
      page(
        'p1',
        'Tokens',
        'How to begin.',
        'Making: Make an access token in the settings.',
        'Other: nothing',
      ),
    );
    const { body } = await search(space, 'access token');
    const address = `http://octavo.test/app/spaces/${space}/pages/p1`;
    expect(body).toEqual({
      count: 1,
      items: [
        {
          id: 'p1',
          title: 'Tokens',
          description: '',
          path: 'guide/p1',
          score: expect.any(Number),
          rank: 1,
          ancestors: [],
          urls: { app: address },
          sections: [
            {
              id: 'h1',
              title: 'Making',
              path: 'guide/p1#h1',
              score: body.items[0].score,
              body: 'Make an access token in the settings.',
              urls: { app: `${address}#h1` },
            },
          ],
        },
      ],
    });
    const beginning = await search(space, 'begin');
    expect(beginning.body.items[0].sections[0]).toMatchObject({
      id: 'p1',
      title: 'Tokens',
      path: 'guide/p1',
    });
  });

  test('ranks title before heading before body, and a phrase before scattered words', async () => {
    const space = await aSpaceWith(
      page('scattered', 'Four', 'A token that grants access.'),
      page('phrase', 'Three', 'The access token.'),
      page('heading', 'Two', 'text', 'Access token: text'),
      page('title', 'Access token', 'text'),
    );
    expect(await found(space, 'access token')).toEqual(['title', 'heading', 'phrase', 'scattered']);
  });

  test('completes the last word of the query, and no other', async () => {
    const space = await aSpaceWith(page('p', 'Deployment', 'Configure the reverse proxy.'));
    expect(await found(space, 'conf')).toEqual(['p']);
    expect(await found(space, 'reverse pro')).toEqual(['p']);
    // `rev` is neither the last word nor a word of the page, so it counts as missing.
    expect((await search(space, 'rev proxy')).body.count).toBe(1);
    expect(await found(space, 'conf ')).toEqual([]);
  });

  test('corrects typos only when nothing matches exactly', async () => {
    const space = await aSpaceWith(page('a', 'One', 'installation'), page('b', 'Two', 'instalation'));
    expect(await found(space, 'installation')).toEqual(['a']);
    expect(await found(space, 'instalaltion')).toEqual(expect.arrayContaining(['a', 'b']));
    for (const typed of ['intsallation', 'nstallation', 'xinstallation', 'installatiom'])
      expect(await found(space, typed), typed).toContain('a');
    expect(await found(space, 'completely')).toEqual([]);
  });

  test('returns pages with some of the words when none has all', async () => {
    const space = await aSpaceWith(page('a', 'One', 'webhook retries'), page('b', 'Two', 'billing'));
    expect(await found(space, 'how do webhook retries work')).toEqual(['a']);
  });

  test.each([
    ['日本語', 'これは日本語の文書です。'],
    ['文書', 'これは日本語の文書です。'],
    ['数据库', '请配置数据库连接。'],
    ['库', '请配置数据库连接。'],
    ['문서', '이 문서를 읽어 주세요.'],
    ['สวัสดี', 'คำว่าสวัสดีครับ'],
    ['привет', 'Скажи «Привет» миру'],
    ['ecole', "L'École de Paris"],
    ['École', 'ecole'],
    ['strasse', 'Hauptstraße, Straße'],
    ['straße', 'strasse'],
    ['𠮷野', '名前は𠮷野家'],
    ['שלום', 'אמר שָׁלוֹם לכולם'],
  ])('finds %s in its script', async (query, text) => {
    const space = await aSpaceWith(page('p', 'Title', text), page('q', 'Title', 'other'));
    expect(await found(space, query)).toEqual(['p']);
    const { body } = await search(space, query);
    expect(body.items[0].sections[0].body).toBe(text);
  });

  test.each([' ', '', '?!… — ()', '\u0000', '\ud800', '\u202e\u200b', '%_\\\'"'])(
    'returns an empty list for %j',
    async (query) => {
      const space = await aSpaceWith(page('p', 'Title', 'text'));
      expect(await found(space, query)).toEqual([]);
    },
  );

  test('rejects a query that is missing or too long', async () => {
    const space = await aSpaceWith(page('p', 'Title', 'text'));
    expect((await search(space, 'x'.repeat(512))).status).toBe(200);
    expect((await search(space, '日'.repeat(512))).status).toBe(200);
    expect((await search(space, 'x'.repeat(513))).status).toBe(400);
    expect((await places.get(`/v1/spaces/${space}/search`)).status).toBe(400);
  });

  test('indexes any text of a page', async () => {
    const odd = 'a\u0000b \ud800 word "quoted" \\ {x} \n\r\u2028 end';
    const space = await aSpaceWith(page('p', `T\u0000itle ${odd}`, odd, `Heading: ${odd}`));
    expect(await found(space, 'quoted')).toEqual(['p']);
  });

  test('finds every word of a very long page and shows its context', async () => {
    const words = Array.from({ length: 30_000 }, (_each, n) => `w${n.toString(36)}x`);
    const space = await aSpaceWith(page('p', 'Long', `Words: ${words.join(' ')}`));
    for (const word of [words[0] ?? '', words[20_000] ?? '', words.at(-1) ?? '']) {
      const { body } = await search(space, `words ${word}`);
      expect(body.items).toMatchObject([{ id: 'p' }]);
      expect(body.items[0].sections.map((section: { body: string }) => section.body).join(' ')).toContain(
        word,
      );
    }
    await publish(space, [{ id: 'p', title: 'Renamed', path: 'p' }]);
    expect(await found(space, `renamed words ${words.at(-1)}`)).toEqual(['p']);
  });
});

describe('published content', () => {
  test('is found immediately, and deleted content is not', async () => {
    const space = await aSpaceWith(page('a', 'First', 'alpha'), page('b', 'Second', 'beta'));
    await publish(space, [page('a', 'First', 'gamma')], ['b']);
    expect(await found(space, 'alpha')).toEqual([]);
    expect(await found(space, 'beta')).toEqual([]);
    expect(await found(space, 'gamma')).toEqual(['a']);
  });

  test('keeps its index entries when only title or path change', async () => {
    const space = await aSpaceWith(page('a', 'First', 'alpha'), page('b', 'Second', 'beta'));
    await publish(space, [
      { id: 'a', title: 'Renamed', path: 'renamed' },
      { id: 'b', title: 'Second', path: 'moved/b' },
    ]);
    expect(await found(space, 'renamed alpha')).toEqual(['a']);
    expect(await found(space, 'first')).toEqual([]);
    expect((await search(space, 'beta')).body.items[0].path).toBe('moved/b');
    const [{ numbers } = {}] = await app.sql(
      'select array_agg(number order by page_id) as numbers from search_pages where space_id = $1',
      [space],
    );
    expect(numbers).toEqual([3, 2]);
  });

  test('remains correct and in few segments through many edits', async () => {
    const space = await places.aSpace();
    const now = new Map<string, string>();
    for (let n = 0; n < 150; n++) {
      const id = `p${(n * 7) % 40}`;
      if (n % 9 === 8) {
        now.delete(id);
        await publish(space, [], [id]);
      } else {
        now.set(id, `edit${n}`);
        await publish(space, [page(id, `Page ${id}`, `all of it edit${n}`)]);
      }
    }
    expect((await found(space, 'all of it')).toSorted()).toEqual([...now.keys()].toSorted());
    for (const [id, word] of now) expect(await found(space, `${word} `)).toEqual([id]);
    const [{ count } = {}] = await app.sql('select count(*)::int from search_segments where space_id = $1', [
      space,
    ]);
    expect(count).toBeLessThan(32);
  });

  test('is found in a copy, which then changes separately', async () => {
    const space = await aSpaceWith(page('a', 'First', 'alpha'));
    const copy = await places.aSpace();
    await copySearchIndex(app.app.installation.connection.db, space, copy);
    await publish(copy, [page('b', 'Second', 'alpha too')], []);
    expect(await found(space, 'alpha')).toEqual(['a']);
    expect((await found(copy, 'alpha')).toSorted()).toEqual(['a', 'b']);
  });

  test('is deleted with its space', async () => {
    const space = await aSpaceWith(page('a', 'First', 'alpha'));
    await app.sql('delete from spaces where id = $1', [space]);
    for (const table of ['search_pages', 'search_segments', 'search_blocks']) {
      const rows = await app.sql(`select from ${table} where space_id = $1`, [space]);
      expect(rows, table).toHaveLength(0);
    }
  });
});

describe('a long result list', () => {
  const pages = Array.from({ length: 30 }, (_each, n) =>
    page(`p${n}`, n % 10 ? `Page ${n}` : `Apple ${n}`, `${'apple '.repeat((n % 7) + 1)} pear`),
  );

  async function walk(space: string, limit: number, query: string, between = async () => {}) {
    const ids: string[] = [];
    const counts = new Set<number>();
    let next: string | undefined;
    do {
      const { body, status, text } = await search(space, query, { limit, ...(next ? { page: next } : {}) });
      expect(status, text).toBe(200);
      ids.push(...body.items.map((item: { id: string }) => item.id));
      counts.add(body.count);
      next = body.next?.page;
      if (next) await between();
    } while (next);
    return { ids, counts: [...counts] };
  }

  test.each([1, 7, 29, 30, 31])('is identical in pages of %i and in one', async (limit) => {
    const space = await aSpaceWith(...pages);
    for (const query of ['apple', 'apple pear', 'aple', 'apple nowhere']) {
      const all = await walk(space, 1000, query);
      expect(all.ids).toHaveLength(30);
      expect(await walk(space, limit, query)).toEqual(all);
    }
    expect((await search(space, 'apple', { limit: 0 })).body).toEqual({ count: 30, items: [] });
  });

  test('skips and repeats nothing while other pages are added and deleted', async () => {
    const space = await aSpaceWith(...pages);
    for (const query of ['apple pear', 'apple nowhere pear']) {
      const before = await walk(space, 1000, query);
      let n = 0;
      const walked = await walk(space, 3, query, async () => {
        n++;
        await publish(space, [page(`new${n}`, 'Apple pear', 'apple pear')], [`new${n - 3}`]);
      });
      expect(walked.ids.filter((id) => !id.startsWith('new'))).toEqual(before.ids);
      expect(new Set(walked.ids).size).toBe(walked.ids.length);
      await publish(
        space,
        [],
        Array.from({ length: n + 1 }, (_each, index) => `new${index}`),
      );
    }
  });
});

describe('a search of an organization', () => {
  const inOrganization = (query: string, token: string, more: object = {}) =>
    app.call('GET', `/v1/orgs/${side.organizationId}/search`, { token, query: { query, ...more } });
  const spacesIn = ({ body }: Answer) => body.items.map((item: { id: string }) => item.id);

  test('returns the spaces that the caller may read, the best first, with their pages', async () => {
    const open = await aSpaceWith(page('a', 'One', 'a zebra'), page('b', 'Two', 'the zebra in zebra'));
    const best = await aSpaceWith(page('c', 'Zebra', 'text'));
    const closed = await aSpaceWith(page('d', 'Zebra', 'zebra'));
    const deleted = await aSpaceWith(page('e', 'Zebra', 'zebra'));
    await places.call('PATCH', `/v1/spaces/${closed}`, { defaultLevel: null });
    await places.call('DELETE', `/v1/spaces/${deleted}`);

    const asReader = await inOrganization('zebra', side.people.read.token);
    expect(spacesIn(asReader)).toEqual([best, open]);
    expect(asReader.body.items[1]).toMatchObject({ title: 'Space', pages: [{ id: 'b' }, { id: 'a' }] });
    expect(asReader.body.count).toBe(2);
    expect(spacesIn(await inOrganization('zebra', side.admin.token))).toHaveLength(3);
    expect(spacesIn(await inOrganization('zebra', side.people.guest.token))).toEqual([]);

    const first = await inOrganization('zebra', side.people.read.token, { limit: 1 });
    expect(spacesIn(first)).toEqual([best]);
    const second = await inOrganization('zebra', side.people.read.token, {
      limit: 1,
      page: first.body.next.page,
    });
    expect(spacesIn(second)).toEqual([open]);
    expect(second.body).not.toHaveProperty('next');

    for (const space of [closed, deleted]) {
      const direct = await app.call('GET', `/v1/spaces/${space}/search`, {
        token: side.people.read.token,
        query: { query: 'zebra' },
      });
      expect(direct.status).toBe(404);
    }
  });

  test('finds a transferred space in its new organization', async () => {
    const other = await aSide(app, 'elsewhere');
    const space = await aSpaceWith(page('a', 'One', 'quagga'));
    await app.sql(`insert into members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      other.organizationId,
      side.admin.id,
    ]);
    await places.call('POST', `/v1/spaces/${space}/transfer`, { organization: other.organizationId });
    expect(spacesIn(await inOrganization('quagga', side.admin.token))).toEqual([]);
    const inOther = await app.call('GET', `/v1/orgs/${other.organizationId}/search`, {
      token: other.admin.token,
      query: { query: 'quagga' },
    });
    expect(spacesIn(inOther)).toEqual([space]);
  });

  test('corrects typos only by words of spaces that the caller may read', async () => {
    const closed = await aSpaceWith(page('d', 'One', 'okapi'));
    await places.call('PATCH', `/v1/spaces/${closed}`, { defaultLevel: null });
    expect(spacesIn(await inOrganization('okapii', side.people.read.token))).toEqual([]);
    expect(spacesIn(await inOrganization('okapii', side.admin.token))).toEqual([closed]);
  });
});
