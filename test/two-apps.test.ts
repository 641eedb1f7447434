import { expect, test } from 'vitest';
import { startApp } from './app.ts';
import { contentsOf, insert } from './content.ts';
import { aSide } from './world.ts';

test('two apps in one process share no cache', async () => {
  const [one, other] = [await startApp(), await startApp()];
  const contents = contentsOf(one, await aSide(one, 'alpha'));
  const space = await contents.aSpace();
  await contents.edit(space, insert('Page', 'Text.'));
  await contents.pages(space);
  const { trees, objects, revisionAnswers } = one.app.context.caches;
  for (const cache of [trees, objects, revisionAnswers]) expect(cache.size).toBeGreaterThan(0);
  const { caches } = other.app.context;
  for (const cache of [caches.trees, caches.objects, caches.revisionAnswers]) expect(cache.size).toBe(0);
});
