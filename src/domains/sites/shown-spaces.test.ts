import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { publishedSitesOf, type PublishedSites } from '../../../test/published-sites.ts';
import { expectError } from '../../../test/refusal.ts';
import { anotherOrganization } from '../../../test/builders/people.ts';
import { aWorld, type World } from '../../../test/world.ts';

/** The effects of sites on the spaces that they show. */

let app: TestApp;
let beside: TestApp;
let world: World;
let sites: PublishedSites;

beforeAll(async () => {
  app = await startApp();
  beside = await startApp({ beside: app });
  world = await aWorld(app);
  sites = publishedSitesOf(app, world.a);
});

const spaceOf = async (id: string) => {
  const { body } = await sites.get(`/v1/spaces/${id}`);
  return [body.visibility, body.urls.published];
};
const visibilityEvents = async (id: string) =>
  (
    await app.sql(
      `select data from events where space_id = $1 and type = 'space_visibility_updated' order by id`,
      [id],
    )
  ).map(({ data }) => {
    const { previousVisibility, visibility } = data as Record<string, string>;
    return `${previousVisibility} > ${visibility}`;
  });

describe('visibility and published URL of a space', () => {
  test('follow the published sites that show it: the widest', async () => {
    const space = await sites.aSpace();
    const one = await sites.aSite({ title: 'Visible one', visibility: 'visitor-auth', spaces: [space] });
    const two = await sites.aSite({ title: 'Visible two', visibility: 'public', spaces: [space] });
    expect(await spaceOf(space)).toEqual(['private', undefined]);
    await sites.call('POST', `${one}/publish`);
    expect(await spaceOf(space)).toEqual(['visitor-auth', 'http://octavo.test/visible-one/']);
    await sites.call('POST', `${two}/publish`);
    expect(await spaceOf(space)).toEqual(['public', 'http://octavo.test/visible-two/']);
    await sites.call('PATCH', `/v1/spaces/${space}`, { visibility: 'unlisted' });
    expect((await spaceOf(space))[0]).toBe('public');
    await sites.call('POST', `${two}/unpublish`);
    expect(await spaceOf(space)).toEqual(['unlisted', 'http://octavo.test/visible-one/']);
    await sites.call('PATCH', `/v1/spaces/${space}`, { visibility: 'private' });
    await sites.call('PATCH', one, { visibility: 'share-link' });
    expect((await spaceOf(space))[0]).toBe('share-link');
    await sites.call('DELETE', one);
    expect(await spaceOf(space)).toEqual(['private', undefined]);
    expect(await visibilityEvents(space)).toEqual([
      'private > visitor-auth',
      'visitor-auth > public',
      'public > unlisted',
      'unlisted > visitor-auth',
      'visitor-auth > share-link',
      'share-link > private',
    ]);
  });

  test('change with the structure, on every process', async () => {
    const site = await sites.aSite({ title: 'Structured' });
    const first = await sites.addSection(site, 'First');
    const second = await sites.addSection(site, 'Second');
    const variant = await sites.addSiteSpace(site, 'V2', second.id);
    await sites.call('POST', `${site}/publish`);
    const urls = async (from: TestApp) => {
      const published = [first.siteSpaces[0], second.siteSpaces[0], variant].map(async ({ space }) => {
        const { body } = await from.call('GET', `/v1/spaces/${space.id}`, { token: world.a.admin.token });
        return body.urls.published?.replace('http://octavo.test/structured/', '');
      });
      return Promise.all(published);
    };
    const expectUrls = async (expected: readonly (string | undefined)[]) => {
      expect(await urls(app)).toEqual(expected);
      await expect.poll(() => urls(beside)).toEqual(expected);
    };
    await expectUrls(['', 'second/', 'second/v2/']);
    await sites.call('PATCH', `${site}/sections/${second.id}`, { path: 'api' });
    await expectUrls(['', 'api/', 'api/v2/']);
    await sites.call('PATCH', site, { defaultSiteSection: second.id });
    await expectUrls(['first/', '', 'v2/']);
    await sites.call('PATCH', `${site}/sections/${second.id}`, { defaultSiteSpace: variant.id });
    await expectUrls(['first/', 'second/', '']);
    await sites.call('DELETE', `${site}/site-spaces/${variant.id}`);
    await expectUrls(['first/', '', undefined]);
  });

  test('of a space in a collection', async () => {
    const collection = await sites.aCollection();
    const space = await sites.aSpace(collection);
    expect((await spaceOf(space))[0]).toBe('in-collection');
    const site = await sites.aSite({ title: 'Collected', spaces: [space] });
    await sites.call('POST', `${site}/publish`);
    expect((await spaceOf(space))[0]).toBe('public');
    await sites.move(space, {}, null);
    expect((await spaceOf(space))[0]).toBe('public');
    await sites.call('POST', `${site}/unpublish`);
    expect((await spaceOf(space))[0]).toBe('private');
    expect(await visibilityEvents(space)).toEqual(['in-collection > public', 'public > private']);
  });

  test('are right after concurrent publications of two sites', async () => {
    const spaces = [await sites.aSpace(), await sites.aSpace()];
    const [one, two] = [
      await sites.aSite({ title: 'Race', visibility: 'unlisted', spaces }),
      await sites.aSite({ title: 'Race', visibility: 'public', spaces: spaces.toReversed() }),
    ];
    for (let round = 0; round < 5; round++) {
      await Promise.all([one, two].map((site) => sites.call('POST', `${site}/publish`)));
      for (const space of spaces) expect((await spaceOf(space))[0]).toBe('public');
      await Promise.all([one, two].map((site) => sites.call('POST', `${site}/unpublish`)));
      for (const space of spaces) expect(await spaceOf(space)).toEqual(['private', undefined]);
    }
  });
});

describe('a deleted space', () => {
  test('is not shown by sites; the next one becomes the default; a restored one is shown again', async () => {
    const site = await sites.aSite({ title: 'Keeps' });
    const [one] = [await sites.addSiteSpace(site, 'One'), await sites.addSiteSpace(site, 'Two')];
    await sites.call('POST', `${site}/publish`);
    await sites.call('DELETE', `/v1/spaces/${one.space.id}`);
    expect(await sites.structure(site)).toBe('Two*');
    expect((await sites.get(site)).body.siteSpaces).toBe(1);
    expectError(await sites.get(`${site}/site-spaces/${one.id}`), 404);
    expect(await spaceOf(one.space.id)).toEqual(['private', undefined]);
    await sites.call('POST', `/v1/spaces/${one.space.id}/restore`);
    expect(await sites.structure(site)).toBe('One Two*');
    expect(await spaceOf(one.space.id)).toEqual(['public', 'http://octavo.test/keeps/one/']);
  });

  test('that was the only one leaves a section without site spaces, and returns as the default', async () => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Only');
    const { space } = section.siteSpaces[0];
    await sites.call('DELETE', `/v1/spaces/${space.id}`);
    expect(await sites.structure(site)).toBe('Only*');
    await sites.call('POST', `/v1/spaces/${space.id}/restore`);
    expect(await sites.structure(site)).toBe('Only*(Only*)');
  });

  test('leaves its sites when it is purged', async () => {
    const site = await sites.aSite();
    const siteSpace = await sites.addSiteSpace(site, 'Purged');
    await sites.call('DELETE', `/v1/spaces/${siteSpace.space.id}`);
    await app.sql('delete from spaces where id = $1', [siteSpace.space.id]);
    expect(await app.sql('select id from site_spaces where id = $1', [siteSpace.id])).toEqual([]);
  });

  test('is never shown, even if it is added to a site while it is deleted', async () => {
    const site = await sites.aSite();
    await sites.addSiteSpace(site, 'Stays');
    for (let round = 0; round < 8; round++) {
      const spaceId = await sites.aSpace();
      const [added, deleted] = await Promise.all([
        sites.call('POST', `${site}/site-spaces`, { spaceId }),
        sites.call('DELETE', `/v1/spaces/${spaceId}`),
      ]);
      expect([201, 404]).toContain(added.status);
      expect(deleted.status).toBe(205);
    }
    const wrong = await app.sql(
      `select v.id from site_spaces v join spaces s on s.id = v.space_id
       where v.space_deleted <> (s.deleted_at is not null)`,
    );
    expect(wrong).toEqual([]);
    expect(await sites.structure(site)).toBe('Stays*');
  });

  test('cannot be added to a site: 404', async () => {
    const space = await sites.aSpace();
    await sites.call('DELETE', `/v1/spaces/${space}`);
    expectError(await sites.call('POST', `${await sites.aSite()}/site-spaces`, { spaceId: space }), 404);
  });
});

describe('transfer', () => {
  test('of a space that a site shows returns 412, also in a collection; once removed, it succeeds', async () => {
    const { id: organization } = await anotherOrganization(app, world.a, world.a.admin, new Map());
    const collection = await sites.aCollection();
    const space = await sites.aSpace(collection);
    const site = await sites.aSite({ title: 'Holds', spaces: [space] });
    const transfer = (id: string) => sites.call('POST', `${sites.pathOf(id)}/transfer`, { organization });
    expectError(await transfer(space), 412, /site/);
    expectError(await transfer(collection), 412, /site/);
    const { items } = (await sites.get(`${site}/site-spaces`)).body;
    await sites.call('DELETE', `${site}/site-spaces/${items[0].id}`);
    expect((await transfer(collection)).status).toBe(200);
  });

  test('of a collection takes along a deleted space, which leaves the sites', async () => {
    const { id: organization } = await anotherOrganization(app, world.a, world.a.admin, new Map());
    const collection = await sites.aCollection();
    const space = await sites.aSpace(collection);
    const site = await sites.aSite({ title: 'Leaves', spaces: [space] });
    await sites.call('DELETE', `/v1/spaces/${space}`);
    const answer = await sites.call('POST', `${sites.pathOf(collection)}/transfer`, { organization });
    expect(answer.status, answer.text).toBe(200);
    await sites.call('POST', `/v1/spaces/${space}/restore`);
    expect(await sites.structure(site)).toBe('');
  });
});
