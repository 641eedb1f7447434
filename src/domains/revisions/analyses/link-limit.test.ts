import { expect, test } from 'vitest';
import type { Hash } from '../../../content-engine/map/index.ts';
import { buildTree, type ContentRecord } from '../../../content-engine/tree/index.ts';
import { requireFewLinks } from './link-limit.ts';

const BODY = 'body' as Hash;

/** Publishes pages with equal bodies of 5,000 links and more. */
function publish(pages: number): void {
  const records = Array.from(
    { length: pages },
    (_each, n) =>
      ({
        kind: 'page',
        type: 'document',
        id: `page${n}`,
        title: 'Page',
        slug: `page${n}`,
        position: `a${n}`,
        document: BODY,
      }) as unknown as ContentRecord,
  );
  const hrefs = Array.from({ length: 6000 }, (_each, n) => `https://example.com/${n}`);
  requireFewLinks(
    buildTree(records),
    new Map(records.map((record) => [record.id, record])),
    new Map([[BODY, { hrefs, dependencies: [], specs: [], anchors: [] }]]),
  );
}

test('one publication writes at most 500,000 links', () => {
  expect(() => publish(100)).not.toThrow();
  expect(() => publish(101)).toThrow(/more than 500,000 links/);
});
