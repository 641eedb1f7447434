import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** The link by which readers edit a page at the host of its repository. */

let app: TestApp;
let site: PublishedSite;
let spaceId: string;

beforeAll(async () => {
  app = await startApp();
  const side = await aSide(app, 'alpha');
  site = await aPublishedSite(app, side);
  const { space } = await site.addSpace('Manual');
  spaceId = space.split('/').at(-1) ?? '';
  await site.contents.edit(space, insert('Welcome', 'Hello.'), insert('Set up', 'Text.'));
});

/** The change is made beside the API, so that the page follows when the database has announced it. */
async function expectHref(gitSync: object | null, expected: string | undefined): Promise<void> {
  await app.sql('update spaces set git_sync = $2 where id = $1', [spaceId, gitSync]);
  const shown = async () => /href="([^"]*\/_?edit\/[^"]*)"/.exec((await site.read('/set-up')).text)?.[1];
  await expect.poll(shown).toBe(expected);
}

describe('the edit link', () => {
  test.each([
    ['https://github.com/acme/docs/tree/main', '', 'https://github.com/acme/docs/edit/main/set-up.md'],
    [
      'https://gitlab.com/acme/docs/-/tree/main/',
      'a b',
      'https://gitlab.com/acme/docs/-/edit/main/a%20b/set-up.md',
    ],
    [
      'https://codeberg.org/acme/docs/src/branch/main',
      '',
      'https://codeberg.org/acme/docs/_edit/main/set-up.md',
    ],
  ])('of %s leads to the editor of the host', async (url, directory, expected) => {
    await expectHref({ url, directory }, expected);
  });

  test('is absent where only the URL for cloning is known, or none', async () => {
    await expectHref({ url: 'https://github.com/acme/docs.git' }, undefined);
    await expectHref(null, undefined);
  });
});
