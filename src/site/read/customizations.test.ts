import { expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

test('the settings of a site space are read with its first page, and not with the site', async () => {
  const app = await startApp();
  const site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { customizations } = app.app.context.caches.sites;
  const [first, second] = [await site.addSpace('First'), await site.addSpace('Second')];
  for (const { space } of [first, second]) await site.contents.edit(space, insert('Start', 'Words'));
  const ofSecond = `${site.site}/site-spaces/${second.siteSpace}/customization`;
  const footer = { copyright: '© Us' };
  await site.change('PATCH', ofSecond, { footer });

  expect((await site.read('/')).text).not.toContain('© Us');
  expect(customizations.size).toBe(0);
  expect((await site.read('/second/')).text).toContain('© Us');
  expect(customizations.size).toBe(1);
  // A change is visible to the next reader.
  await site.change('PATCH', ofSecond, { footer: { copyright: '© You' } });
  expect((await site.read('/second/')).text).toContain('© You');
  await site.change('DELETE', ofSecond);
  expect((await site.read('/second/')).text).not.toContain('© ');
});
