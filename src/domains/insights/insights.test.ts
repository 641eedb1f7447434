import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, grantOn, type World } from '../../../test/world.ts';
import { flushInsights, InsightsBuffer, recordFeedback, recordSearch, recordView } from './index.ts';
import { deleteOldInsights, isCreatedWithin } from './store.ts';

let app: TestApp;
let world: World;
let site: TestSite;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

beforeEach(async () => {
  site = await aSite(app, world.a);
});

const call = (method: string, path: string, body?: unknown, token = world.a.admin.token) =>
  app.call(method, `${site.path}/insights${path}`, { token, ...(body === undefined ? {} : { body }) });
const database = () => app.app.installation.connection.db;
const buffer = () => app.app.context.caches.insights;
const flush = () => flushInsights(database(), buffer());
const page = (pageId = site.pageId) => ({ siteId: site.id, spaceId: site.spaceId, pageId });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

const session = {
  visitorId: 'v-secret',
  sessionId: 's-secret',
  cookies: { a: 'c-secret' },
  ip: '203.0.113.9',
  userAgent: 'ua-secret',
  language: 'de',
  referrer: null,
};
const event = (type: string, more: object = {}) => ({
  type,
  session,
  location: {
    url: 'https://docs.example.com/guide',
    siteSection: null,
    siteSpace: site.siteSpaceId,
    siteShareKey: null,
    space: site.spaceId,
    revision: null,
    page: site.pageId,
  },
  ...more,
});

describe('POST events', () => {
  test('counts views and feedback, and nothing about the visitor', async () => {
    const answer = await call('POST', '/events', {
      events: [
        event('page_view'),
        event('page_view'),
        event('page_post_feedback', { feedback: { rating: 'good' } }),
        event('page_post_feedback_comment', { feedback: { rating: 'bad', comment: 'Too short' } }),
        event('link_click', {
          link: { target: { kind: 'url', url: 'https://a.example' }, position: 'header' },
        }),
        event('search_open'),
      ],
    });
    expect(answer.status, answer.text).toBe(204);
    await flush();
    expect((await call('GET', '/pages')).body.items).toEqual([
      { page: { space: site.spaceId, page: site.pageId }, views: 2, feedback: { bad: 1, ok: 0, good: 1 } },
    ]);
    const feedback = await call('GET', '/feedback');
    expect(
      feedback.body.items.map(({ rating, comment }: { rating: string; comment?: string }) => [
        rating,
        comment,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['bad', 'Too short'],
        ['good', undefined],
      ]),
    );
    for (const table of ['site_page_views', 'site_feedback', 'site_searches'])
      expect(JSON.stringify(await app.sql(`select * from ${table}`))).not.toMatch(/secret|203\.0\.113/);
  });

  test('accepts events of later versions of the API, and stores nothing of them', async () => {
    const stored = async () => (await call('GET', '/pages')).body;
    const before = await stored();
    const later = [
      'llms_request',
      'mcp_request',
      'agent_feedback',
      'page_markdown_request',
      'a_type_of_tomorrow',
    ];
    const events = later.map((type) =>
      event(type, { location: { ...event(type).location, displayContext: 'server' }, llmsVariant: 'full' }),
    );
    const answer = await call('POST', '/events', { events });
    expect(answer.status, answer.text).toBe(204);
    await flush();
    expect(await stored()).toEqual(before);
    expect((await call('POST', '/events', { events: [event('')] })).status).toBe(400);
    expect((await call('POST', '/events', { events: [event('x'.repeat(65))] })).status).toBe(400);
  });

  test('refuses events without what their type needs, and counts none of them', async () => {
    for (const wrong of [
      event('page_post_feedback'),
      event('page_post_feedback_comment', { feedback: { rating: 'ok' } }),
      event('page_view', { timestamp: '2020-01-01T00:00:00Z' }),
      event('page_view', { timestamp: 'yesterday' }),
      event('page_view', { timestamp: '2026-06-30T23:59:60Z' }),
      event('page_post_feedback', { feedback: { rating: 'great' } }),
      event('page_post_feedback_comment', { feedback: { rating: 'ok', comment: 'x'.repeat(513) } }),
    ]) {
      expectError(await call('POST', '/events', { events: [event('page_view'), wrong] }), 400);
    }
    expectError(
      await call('POST', '/events', { events: Array.from({ length: 101 }, () => event('page_view')) }),
      400,
    );
    await flush();
    expect((await call('GET', '/pages')).body.items).toEqual([]);
  });

  test('refuses a site space of another site', async () => {
    const other = await aSite(app, world.a);
    const location = { ...event('page_view').location, siteSpace: other.siteSpaceId };
    expectError(await call('POST', '/events', { events: [event('page_view', { location })] }), 404);
  });
});

describe('statistics', () => {
  test('add up over flushes and processes', async () => {
    const second = new InsightsBuffer();
    recordView(buffer(), page(), new Date());
    recordView(second, page(), new Date());
    recordView(second, page('other'), daysAgo(40));
    await Promise.all([flush(), flushInsights(database(), second)]);
    recordView(buffer(), page(), daysAgo(1));
    await flush();
    const totals = async (query: string) =>
      (await call('GET', `/pages${query}`)).body.items.map((item: { views: number }) => item.views);
    expect(await totals('')).toEqual([3]);
    const day = (date: Date) => date.toISOString().slice(0, 10);
    expect(await totals(`?from=${day(daysAgo(50))}`)).toEqual([3, 1]);
    expect(await totals(`?from=${day(daysAgo(1))}&to=${day(daysAgo(1))}`)).toEqual([1]);
  });

  test('show searches without a result first', async () => {
    const now = new Date();
    for (const [query, hasResult] of [
      ['install', true],
      ['Install', true],
      ['kubernetes', false],
      ['ada@example.com', false],
    ] as const)
      recordSearch(buffer(), { siteId: site.id, query, hasResult }, now);
    await flush();
    expect((await call('GET', '/searches')).body.items).toEqual([
      { query: 'kubernetes', searches: 1, withoutResult: 1 },
      { query: '', searches: 1, withoutResult: 1 },
      { query: 'install', searches: 2, withoutResult: 0 },
    ]);
    expect((await call('GET', '/searches?withoutResult=true')).body.count).toBe(2);
  });

  test('store at most 1,000 queries of a day', async () => {
    const now = new Date();
    for (let at = 0; at < 1005; at++)
      recordSearch(
        buffer(),
        { siteId: site.id, query: `query ${at} ${String.fromCodePoint(97 + (at % 26))}`, hasResult: true },
        now,
      );
    await flush();
    recordSearch(buffer(), { siteId: site.id, query: 'query 0 a', hasResult: true }, now);
    recordSearch(buffer(), { siteId: site.id, query: 'a new one', hasResult: true }, now);
    await flush();
    const rows = await app.sql('select query, searches from site_searches where site_id = $1', [site.id]);
    expect(rows.length).toBeLessThanOrEqual(1001);
    expect(rows.reduce((sum, row) => sum + Number(row['searches']), 0)).toBe(1007);
    expect(rows.map((row) => row['query'])).not.toContain('a new one');
  });

  test('of a deleted site are lost, and stop no others', async () => {
    recordView(buffer(), { ...page(), siteId: 'deleted' }, new Date());
    recordFeedback(buffer(), { ...page(), siteId: 'deleted', rating: 'ok' }, new Date());
    recordSearch(buffer(), { siteId: 'deleted', query: 'x', hasResult: true }, new Date());
    recordView(buffer(), page(), new Date());
    await flush();
    expect((await call('GET', '/pages')).body.count).toBe(1);
  });

  test('have feedback of whole days, found by the index', async () => {
    for (const time of ['15T23:59:59.999', '16T00:00:00.000', '16T23:59:59.999', '17T00:00:00.000'])
      recordFeedback(buffer(), { ...page(), rating: 'ok' }, new Date(`2026-11-${time}Z`));
    await flush();
    const ofDay = await call('GET', '/feedback?from=2026-11-16&to=2026-11-16');
    expect(ofDay.body.items.map((item: { createdAt: string }) => item.createdAt)).toEqual([
      '2026-11-16T23:59:59.999Z',
      '2026-11-16T00:00:00.000Z',
    ]);
    const pages = await call('GET', '/pages?from=2026-11-16&to=2026-11-16');
    expect(pages.body.items[0].feedback).toEqual({ bad: 0, ok: 2, good: 0 });
    const days = { siteId: site.id, from: '2026-11-16', to: '2026-11-16' };
    const plan = await database()
      .transaction()
      .execute(async (transaction) => {
        await sql`set local enable_seqscan = off`.execute(transaction);
        return sql`explain select from site_feedback where site_id = ${site.id} and ${isCreatedWithin(days)}`.execute(
          transaction,
        );
      });
    expect(JSON.stringify(plan.rows)).toMatch(/Index Cond: [^"]*created_at >= [^"]*created_at < /);
  });

  test('count all pages, of which a list shows some', async () => {
    for (const pageId of ['a', 'b', 'c']) recordView(buffer(), page(pageId), new Date());
    await flush();
    const first = await call('GET', '/pages?limit=2');
    expect([first.body.count, first.body.items.length]).toEqual([3, 2]);
    const second = await call('GET', `/pages?limit=2&page=${first.body.next.page}`);
    expect([second.body.count, second.body.items.length]).toEqual([3, 1]);
    expect((await call('GET', '/pages?limit=0')).body.count).toBe(3);
  });

  test('are deleted after 13 months', async () => {
    recordView(buffer(), page(), daysAgo(420));
    recordFeedback(buffer(), { ...page(), rating: 'ok' }, daysAgo(420));
    recordView(buffer(), page(), daysAgo(370));
    await flush();
    await deleteOldInsights(database());
    const [row] = await app.sql(
      'select (select count(*)::int from site_page_views where site_id = $1) as views, (select count(*)::int from site_feedback where site_id = $1) as feedback',
      [site.id],
    );
    expect(row).toEqual({ views: 1, feedback: 0 });
  });

  test('need an admin of the site', async () => {
    const reader = world.a.people.create;
    await grantOn(app, reader, 'review', [], [], [site.id]);
    for (const path of ['/pages', '/searches', '/feedback'])
      expectError(await call('GET', path, undefined, reader.token), 403);
  });

  test.each([
    'from=2026-13-01',
    'from=0000-01-01&to=0000-01-02',
    'from=x',
    'from=2026-11-16&to=2026-11-15',
    'from=2020-01-01&to=2026-01-01',
    'rating=great',
  ])('refuse %s', async (query) => expectError(await call('GET', `/feedback?${query}`), 400));
});

describe('aggregation', () => {
  const aggregate = (body: object) => call('POST', '/events/aggregate', { range: 'last30Days', ...body });
  const columnsOf = ({ body }: { body: { columns: { column: string; values: unknown[] }[] } }) =>
    Object.fromEntries(body.columns.map(({ column, values }) => [column, values]));

  beforeEach(async () => {
    recordView(buffer(), page(), new Date());
    recordView(buffer(), page(), new Date());
    recordView(buffer(), page('other'), daysAgo(3));
    recordFeedback(buffer(), { ...page(), rating: 'good' }, new Date());
    recordFeedback(buffer(), { ...page(), rating: 'bad', comment: 'No' }, new Date());
    recordSearch(buffer(), { siteId: site.id, query: 'install', hasResult: false }, new Date());
    await flush();
  });

  test('counts events by type', async () => {
    const answer = await aggregate({
      groupBy: [{ column: 'eventType' }],
      select: [{ column: 'eventsCount' }],
    });
    expect(answer.status, answer.text).toBe(200);
    expect(columnsOf(answer)).toEqual({
      eventType: ['page_post_feedback', 'page_post_feedback_comment', 'page_view', 'search_type_query'],
      eventsCount: [1, 1, 3, 1],
    });
  });

  test('counts by page, in an order', async () => {
    const answer = await aggregate({
      groupBy: [{ column: 'page' }],
      where: [{ column: 'eventType', values: ['page_view'] }],
      order: { by: { column: 'eventsCount' }, direction: 'desc' },
      limit: 1,
    });
    expect(columnsOf(answer)).toEqual({
      page: [{ page: site.pageId, space: site.spaceId }],
      eventsCount: [2],
    });
    const other = { page: 'other', space: site.spaceId };
    const filtered = await aggregate({
      groupBy: [{ column: 'page' }],
      where: [{ column: 'page', values: [other] }],
    });
    expect(columnsOf(filtered)).toEqual({ page: [other], eventsCount: [1] });
  });

  test('counts by day, and compares days', async () => {
    const views = { column: 'eventType', values: ['page_view'] };
    const days = await aggregate({ groupBy: [{ column: 'datetime', interval: 'day' }], where: [views] });
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    const before = `${daysAgo(3).toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect(columnsOf(days)).toEqual({ datetime: [before, today], eventsCount: [1, 2] });
    const later = await aggregate({
      where: [views, { column: 'datetime', operator: 'greaterThanOrEqual', values: [today] }],
    });
    expect(columnsOf(later)).toEqual({ eventsCount: [2] });
    const month = await aggregate({
      groupBy: [{ column: 'datetime', interval: 'month' }],
      where: [views],
      range: 'last24Hours',
    });
    expect(columnsOf(month)['eventsCount']).toEqual([2]);
  });

  test('shows feedback and searches', async () => {
    const ratings = await aggregate({ select: [{ column: 'pageFeedbackRating' }] });
    expect(columnsOf(ratings)).toEqual({ pageFeedbackRating: [{ bad: 1, ok: 0, good: 1 }] });
    const comments = await aggregate({
      groupBy: [{ column: 'eventPageFeedbackRating' }, { column: 'eventPageFeedbackComment' }],
    });
    expect(columnsOf(comments)).toEqual({
      eventPageFeedbackRating: ['bad'],
      eventPageFeedbackComment: ['No'],
      eventsCount: [1],
    });
    const searches = await aggregate({ groupBy: [{ column: 'eventSearchQuery' }] });
    expect(columnsOf(searches)).toEqual({ eventSearchQuery: ['install'], eventsCount: [1] });
    const without = await aggregate({
      where: [{ column: 'eventType', operator: 'notIn', values: ['page_view'] }],
    });
    expect(columnsOf(without)).toEqual({ eventsCount: [3] });
  });

  test('of nothing has no rows', async () => {
    const answer = await aggregate({ range: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' } });
    expect(columnsOf(answer)).toEqual({ eventsCount: [] });
  });

  test.each([
    ['a column about visitors', { select: [{ column: 'visitorsCount' }] }],
    ['hours', { groupBy: [{ column: 'datetime', interval: 'hour' }] }],
    ['groups by a count', { groupBy: [{ column: 'eventsCount' }] }],
    ['no column', { select: [] }],
    ['a value of another type', { where: [{ column: 'eventType', values: [7] }] }],
    ['a date that is none', { where: [{ column: 'datetime', values: ['today'] }] }],
    [
      'a comparison of text',
      { where: [{ column: 'eventType', operator: 'lessThan', values: ['page_view'] }] },
    ],
    ['an order by another column', { order: { by: { column: 'page' }, direction: 'asc' } }],
    ['SQL as an interval', { groupBy: [{ column: 'datetime', interval: "day'); --" }] }],
    ['a range backwards', { range: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }],
    ['a range of decades', { range: { from: '1990-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }],
  ])('refuses %s', async (_name, body) => expectError(await aggregate(body), 400));
});
