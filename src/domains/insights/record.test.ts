import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseQuery } from './normalise-query.ts';
import { InsightsBuffer, recordFeedback, recordSearch, recordView } from './record.ts';

const NOW = new Date('2026-11-16T23:59:59Z');
const NEXT_DAY = new Date('2026-11-17T00:00:00Z');
const page = { siteId: 's', spaceId: 'p', pageId: 'x' };

describe('the buffer', () => {
  test('counts views by page and day', () => {
    const buffer = new InsightsBuffer();
    expect(buffer.isEmpty).toBe(true);
    recordView(buffer, page, NOW);
    recordView(buffer, page, NOW);
    recordView(buffer, { ...page, pageId: 'y' }, NOW);
    recordView(buffer, page, NEXT_DAY);
    expect([...buffer.views.values()].map(({ pageId, day, views }) => `${pageId} ${day} ${views}`)).toEqual([
      'x 2026-11-16 2',
      'y 2026-11-16 1',
      'x 2026-11-17 1',
    ]);
  });

  test('counts equal searches together, and those without a result', () => {
    const buffer = new InsightsBuffer();
    recordSearch(buffer, { siteId: 's', query: 'Install  it', hasResult: true }, NOW);
    recordSearch(buffer, { siteId: 's', query: 'install it ', hasResult: false }, NOW);
    expect([...buffer.searches.values()]).toEqual([
      { siteId: 's', day: '2026-11-16', query: 'install it', searches: 2, failed: 1 },
    ]);
  });

  test('is bounded, and still counts what it knows', () => {
    const buffer = new InsightsBuffer();
    for (let at = 0; at < 10_001; at++) recordView(buffer, { ...page, pageId: `x${at}` }, NOW);
    recordView(buffer, { ...page, pageId: 'x0' }, NOW);
    expect(buffer.views.size).toBe(10_000);
    expect([...buffer.views.values()][0]?.views).toBe(2);
    for (let at = 0; at < 10_001; at++) recordFeedback(buffer, { ...page, rating: 'ok' }, NOW);
    expect(buffer.feedback.size).toBe(10_000);
  });

  test('cuts comments', () => {
    const buffer = new InsightsBuffer();
    for (const comment of ['x'.repeat(600), '  ', 'a\u0000b', undefined])
      recordFeedback(buffer, { ...page, rating: 'bad', comment }, NOW);
    expect([...buffer.feedback.values()].map(({ comment }) => comment)).toEqual([
      'x'.repeat(512),
      null,
      'ab',
      null,
    ]);
  });
});

describe('normaliseQuery', () => {
  test('stores no text that may be about a person', () => {
    for (const query of ['ada@example.com', 'call +49 30 1234567', '4111 1111 1111 1111', ' '])
      expect(normaliseQuery(query), query).toBe('');
    expect(normaliseQuery('HTTP 404')).toBe('http 404');
  });

  test('is idempotent and short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        const once = normaliseQuery(query);
        expect(normaliseQuery(once)).toBe(once);
        expect([...once].length).toBeLessThanOrEqual(100);
      }),
    );
  });
});
