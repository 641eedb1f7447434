import { expect, test } from 'vitest';
import { manySpaces } from '../../../../test/many-spaces.ts';
import type { DocumentPage } from '../../../content-engine/tree/index.ts';
import { findAlternates } from './alternates.ts';

const page = { id: 'page' } as DocumentPage;
const VARIANTS = 8;

test('the variants of a page are found without keeping their trees', async () => {
  const { reader, addresses, open, openAtLast } = manySpaces(VARIANTS, 'de');
  const { alternates, revisions } = await findAlternates(reader, addresses, await open(0), page);
  expect(alternates).toHaveLength(VARIANTS);
  expect(alternates?.[3]).toEqual({ language: 'de-3', href: '/place3/page' });
  expect(revisions.get('space3')).toBe('revision3');
  // The trees of the page, of the one before and of the one that is opened.
  expect(openAtLast()).toBeLessThanOrEqual(3);
});

test('variants without a language are not opened', async () => {
  const { reader, addresses, open } = manySpaces(VARIANTS);
  const space = await open(0);
  let opened = 0;
  const counting = { ...reader, open: () => Promise.reject(new Error(`opened ${++opened}`)) };
  const { alternates, revisions } = await findAlternates(counting, addresses, space, page);
  expect(alternates).toEqual([]);
  expect(revisions.size).toBe(0);
});
