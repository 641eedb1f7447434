import { describe, expect, test } from 'vitest';
import { turnRatio } from '../../../../../test/longest-turn.ts';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import { readRobots } from './robots.ts';

const ORIGIN = 'https://docs.example';

const robotsOf = (lines: readonly string[]) => {
  const body = Buffer.from(lines.join('\n'));
  const outbound = { fetch: async () => ({ status: 200, headers: {}, url: ORIGIN, body }) };
  return readRobots(outbound as unknown as Outbound, ORIGIN, new AbortController().signal);
};

const allowed = async (lines: readonly string[], path: string) =>
  (await robotsOf(lines)).allows(new URL(path, ORIGIN));

describe('robots.txt', () => {
  test('has rules for all agents, and for us, which take precedence', async () => {
    const lines = ['User-agent: Other', 'Disallow: /', '', 'User-agent: A', 'user-agent: *', 'disallow: /b'];
    expect(await allowed(lines, '/a')).toBe(true);
    expect(await allowed(lines, '/b/c')).toBe(false);
    const own = [...lines, 'User-agent: octavo/1.0', 'Disallow: /a', 'Allow: /a/b', 'Crawl-delay: 2'];
    expect(await allowed(own, '/a')).toBe(false);
    expect(await allowed(own, '/a/b')).toBe(true);
    expect(await allowed(own, '/b')).toBe(true);
    expect((await robotsOf(own)).delayMs).toBe(2000);
  });

  test('with many agents that have the same rules does not block the event loop', async () => {
    const many = (count: number, agent: string) => () =>
      robotsOf([
        ...Array.from({ length: count }, () => `User-agent: ${agent}`),
        ...Array.from({ length: count }, () => 'Disallow: /x'),
      ]);
    expect(await turnRatio(many(3000, 'Other'), many(30, 'Other'), 10)).toBeLessThan(10);
    expect(await turnRatio(many(3000, '*'), many(30, '*'), 10)).toBeLessThan(10);
  });
});
