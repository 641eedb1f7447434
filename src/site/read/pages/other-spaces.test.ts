import { expect, test } from 'vitest';
import { manySpaces } from '../../../../test/many-spaces.ts';
import type { ContentRef } from '../../../content-engine/tree/index.ts';
import { resolveInOtherSpaces } from './other-spaces.ts';
import { resolveRefs } from './resolve-refs.ts';

const SPACES = 8;

test('references into many spaces are resolved without keeping the spaces', async () => {
  const { reader, addresses, open, openAtLast } = manySpaces(SPACES);
  const from = { space: await open(0), pageId: 'page' };
  const refs = Array.from({ length: SPACES }, (_each, index): ContentRef => ({
    kind: 'anchor',
    space: `space${index}`,
    page: 'page',
    anchor: 'a',
  }));
  const missing: ContentRef = { kind: 'page', space: 'nowhere', page: 'page' };
  const others = await resolveInOtherSpaces(reader, addresses, from, [...refs, missing]);
  const { targetOf } = resolveRefs(reader, addresses, from, others.entries);
  const hrefs = refs.map((ref) => targetOf(ref)?.href);
  expect(hrefs).toEqual(refs.map((_ref, index) => `/place${index}/page#a`));
  expect(targetOf(missing)).toBeUndefined();
  // Its own space is recorded by the page.
  expect(others.revisions.size).toBe(SPACES - 1);
  // Its own, the one before and the one that is opened.
  expect(openAtLast()).toBeLessThanOrEqual(3);
});
