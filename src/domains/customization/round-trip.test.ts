import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { OTHER_SETTINGS } from '../../../test/other-settings.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aWorld } from '../../../test/world.ts';
import { DEFAULT_CUSTOMIZATION } from './defaults.ts';
import { Customization } from './schema.ts';

let app: TestApp;
let site: PublishedSite;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, (await aWorld(app)).a);
  const { space } = await site.addSpace('Docs');
  await site.contents.edit(space, insert('Start', 'Text'));
});

const single: readonly (readonly [string, unknown])[] = [
  ['nothing', {}],
  ['title', { title: 'Manual' }],
  ['favicon', { favicon: { emoji: '📕' } }],
  [
    'socialAccounts',
    {
      socialAccounts: [{ platform: 'github', handle: 'octavo', display: { footer: true, header: false } }],
    },
  ],
  ['announcement', { announcement: { enabled: true, message: 'News', style: 'info' } }],
  ['themes.default as it is by default', { themes: { default: 'light' } }],
  ...Object.entries(OTHER_SETTINGS).flatMap(([group, members]) =>
    Object.entries(members).map(
      ([name, value]) => [`${group}.${name}`, { [group]: { [name]: value } }] as const,
    ),
  ),
];

const state = async () => ({
  settings: (await site.change('GET', `${site.site}/customization`)) as object,
  page: (await site.read('/')).text,
  version: (await app.sql('select config_version from sites where id = $1', [site.id]))[0],
});

test.each(single)('a body that GET returned changes nothing when PUT sends it: %s', async (_name, body) => {
  await site.change('PUT', `${site.site}/customization`, body);
  const before = await state();
  const answer = await site.change('PUT', `${site.site}/customization`, before.settings);
  expect(answer).toEqual(before.settings);
  expect(await state()).toEqual(before);
});

test('so does that of a site whose settings were never changed', async () => {
  await app.sql('delete from site_customizations where site_id = $1', [site.id]);
  const before = await state();
  await site.change('PUT', `${site.site}/customization`, before.settings);
  expect(await state()).toEqual(before);
});

test('the loop has every member, and a value that differs from its default', () => {
  const groups = Customization.properties as unknown as Record<string, { properties?: object }>;
  const ungrouped = new Set(['title', 'favicon', 'announcement', 'socialAccounts']);
  for (const [name, { properties = {} }] of Object.entries(groups)) {
    if (ungrouped.has(name)) continue;
    expect(Object.keys(OTHER_SETTINGS[name] ?? {}).toSorted(), name).toEqual(
      Object.keys(properties).toSorted(),
    );
    const defaults = DEFAULT_CUSTOMIZATION[name as 'styling'] as Record<string, unknown>;
    for (const [member, value] of Object.entries(OTHER_SETTINGS[name] ?? {}))
      expect(value, `${name}.${member}`).not.toEqual(defaults[member]);
  }
});

test('pages follow the system until a theme is chosen, and again when told to', async () => {
  const themeOf = async (themes: object) => {
    await site.change('PUT', `${site.site}/customization`, { themes });
    const html = (await site.read('/')).text;
    return /<html[^>]*data-theme="(\w+)"/.exec(html)?.[1] ?? 'system';
  };
  expect(await themeOf({})).toBe('system');
  expect(await themeOf({ default: 'light' })).toBe('light');
  expect(await themeOf({ default: 'dark' })).toBe('dark');
  expect(await themeOf({ default: 'dark', system: true })).toBe('system');
  const siteSpaces = await site.change('GET', `${site.site}/site-spaces`);
  const own = `${site.site}/site-spaces/${siteSpaces.items[0].id}/customization`;
  await site.change('PATCH', own, { themes: { default: 'light' } });
  expect(await themeOf({ default: 'dark' })).toBe('light');
  await site.change('PATCH', own, { themes: { default: null } });
  expect(await themeOf({ default: 'dark' })).toBe('dark');
});
