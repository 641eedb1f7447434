import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { aSite, type TestSite } from '../../../test/site-settings.ts';
import { aWorld, type World } from '../../../test/world.ts';
import { flushInsights, InsightsBuffer, recordFeedback, recordSearch, recordView } from './index.ts';

let app: TestApp;
let world: World;
let site: TestSite;
let buffer: InsightsBuffer;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
});

beforeEach(async () => {
  site = await aSite(app, world.a);
  buffer = new InsightsBuffer();
});

const NOW = new Date('2026-11-16T12:00:00Z');
const NEXT_DAY = new Date('2026-11-17T00:00:00Z');
const flush = () => flushInsights(app.app.installation.connection.db, buffer);
const page = (pageId: string) => ({ siteId: site.id, spaceId: site.spaceId, pageId });
const pages = async () =>
  Object.fromEntries(
    (await app.sql('select page_id, views from site_page_views where site_id = $1', [site.id])).map((row) => [
      row['page_id'],
      row['views'],
    ]),
  );
const feedbackCount = async () =>
  (await app.sql('select count(*)::int as count from site_feedback where site_id = $1', [site.id]))[0]?.[
    'count'
  ];

describe('a flush', () => {
  test('writes the other portions if one fails, and none twice', async () => {
    // PostgreSQL stores no NUL.
    recordView(buffer, page('\u0000'), NOW);
    for (let at = 1; at <= 1000; at++) recordView(buffer, page(`p${at}`), NOW);
    recordSearch(buffer, { siteId: site.id, query: 'install', hasResult: true }, NOW);
    recordFeedback(buffer, { ...page('p1'), rating: 'ok' }, NOW);
    await expect(flush()).rejects.toThrow('1 of 5 writes failed');
    await flush();
    const counted = await pages();
    expect(Object.keys(counted)).toHaveLength(501);
    expect(counted['p1000']).toBe(1);
    expect(await feedbackCount()).toBe(1);
    expect(await app.sql('select searches from site_searches where site_id = $1', [site.id])).toEqual([
      { searches: 1 },
    ]);
  });
});

describe('one site and day', () => {
  test('has views of at most 20,000 pages', async () => {
    await app.sql(
      `insert into site_page_views select $1, '2026-11-16', $2, 'p' || i, 1 from generate_series(1, 19999) i`,
      [site.id, site.spaceId],
    );
    for (const pageId of ['p1', 'a', 'b', 'c', 'c']) recordView(buffer, page(pageId), NOW);
    recordView(buffer, page('d'), NEXT_DAY);
    await flush();
    for (const pageId of ['p1', 'c', 'e']) recordView(buffer, page(pageId), NOW);
    await flush();
    const counted = await pages();
    expect(Object.keys(counted)).toHaveLength(20_001);
    expect([counted['p1'], counted['c'], counted['d']]).toEqual([3, 3, 1]);
  });

  test('has at most 5,000 ratings', async () => {
    await app.sql(
      `insert into site_feedback select $1 || i, $1, $2, 'p', 'ok', null,
        timestamptz '2026-11-16T00:00:00Z' + i * interval '1 second' from generate_series(0, 4997) i`,
      [site.id, site.spaceId],
    );
    for (let at = 0; at < 10; at++) recordFeedback(buffer, { ...page('p'), rating: 'ok' }, NOW);
    recordFeedback(buffer, { ...page('p'), rating: 'ok' }, NEXT_DAY);
    await flush();
    expect(await feedbackCount()).toBe(5001);
  });

  test('has at most 1,000 queries and the count of the others', async () => {
    await app.sql(
      `insert into site_searches select $1, '2026-11-16', 'q' || i, 1, 0 from generate_series(1, 998) i`,
      [site.id],
    );
    for (const query of ['q1', 'q2', 'a', 'b', 'c', 'c'])
      recordSearch(buffer, { siteId: site.id, query, hasResult: false }, NOW);
    await flush();
    const rows = await app.sql('select query, searches, failed from site_searches where site_id = $1', [
      site.id,
    ]);
    expect(rows).toHaveLength(1001);
    expect(rows).toContainEqual({ query: 'q1', searches: 2, failed: 1 });
    expect(rows).toContainEqual({ query: 'c', searches: 2, failed: 2 });
    expect(rows).toContainEqual({ query: '', searches: 1, failed: 1 });
  });
});
