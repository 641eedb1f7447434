import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { OTHER_SETTINGS } from '../../../test/other-settings.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Every setting has an effect on pages, or the handbook (docs/published-pages.md) says that it has none. */

const STORED_ONLY = new Set([
  'ai.mode',
  'advancedCustomization.enabled',
  'insights.trackingCookie',
  'styling.codeTheme',
]);

/** Other settings that a setting needs to have an effect. */
const WITH: Record<string, Record<string, object>> = {
  'header.backgroundColor': { header: { preset: 'custom' } },
  'header.linkColor': {
    header: { preset: 'custom', backgroundColor: { light: '#ffffff', dark: '#000000' } },
  },
  'themes.default': { themes: { system: false } },
};

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  const { space } = await site.addSpace('Manual');
  const start = '[out](https://a.example/) `code`\n\n{% hint style="info" %}\nNote\n{% endhint %}';
  await site.contents.edit(space, insert('Start', start, { icon: 'book' }), insert('Next', 'x'));
  const gitSync = { url: 'https://github.com/acme/docs/tree/main' };
  await app.sql('update spaces set git_sync = $2 where id = $1', [space.split('/').at(-1), gitSync]);
});

const settings = Object.entries(OTHER_SETTINGS).flatMap(([group, members]) =>
  Object.entries(members).map(([name, value]) => [`${group}.${name}`, group, name, value] as const),
);

test.each(settings)('%s', async (path, group, name, value) => {
  const shownWith = async (custom: object) => {
    await site.change('PUT', `${site.site}/customization`, custom);
    return (await site.read('/')).text;
  };
  const beside = WITH[path] ?? {};
  const before = await shownWith(beside);
  const after = await shownWith({ ...beside, [group]: { ...beside[group], [name]: value } });
  expect(after !== before, `${path} changes the page`).toBe(!STORED_ONLY.has(path));
});

test('a stored URL of a font adds no directive to the policy of pages', async () => {
  const fontFaces = [{ weight: 400, sources: [{ url: 'https://fonts.example/f' }] }];
  const font = { id: 'f', custom: true, fontFamily: 'A', fontFaces };
  await site.change('PUT', `${site.site}/customization`, { styling: { font } });
  const policy = async () => String((await site.read('/')).headers['content-security-policy']);
  expect(await policy()).toContain("font-src 'self' https://fonts.example;");
  await app.sql(
    `update site_customizations set settings = replace(settings::text, 'fonts.example', 'fonts.example;sandbox')::jsonb
     where site_id = $1`,
    [site.id],
  );
  await expect.poll(policy).toContain("font-src 'self';");
  expect(await policy()).not.toContain('sandbox');
});
