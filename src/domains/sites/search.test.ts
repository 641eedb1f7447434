import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, idIn, type PublishedSite } from '../../../test/published-site.ts';
import { aMember, aSide, grantOn, type Side } from '../../../test/world.ts';

interface Added {
  readonly space: string;
  readonly siteSpace: string;
}

let app: TestApp;
let side: Side;
let site: PublishedSite;
let guide: Added;
let french: Added;
let reference: Added;
let frenchReference: Added;

const search = (body: object, token = side.admin.token, at = site.site) =>
  app.call('POST', `${at}/search`, { token, body: { query: 'turbine', ...body } });

const spacesIn = (answer: { body: { items: { id: string }[] } }) =>
  answer.body.items.map(({ id }) => id).toSorted();

const ids = (...added: Added[]) => added.map(({ space }) => idIn(space)).toSorted();

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  site = await aPublishedSite(app, side);
  const spaces = `/v1/orgs/${side.organizationId}/spaces`;
  const section = async (title: string): Promise<Added & { readonly sectionId: string }> => {
    const { id: spaceId } = await site.change('POST', spaces, { title, editMode: 'live' });
    const { id } = await site.change('POST', `${site.site}/sections`, { spaceId, title });
    const { items } = await site.change('GET', `${site.site}/site-spaces`);
    const siteSpace = items.find((item: { section: string }) => item.section === id).id;
    return { space: `/v1/spaces/${spaceId}`, siteSpace, sectionId: id };
  };
  const first = await section('Guide');
  const second = await section('Reference');
  [guide, reference] = [first, second];
  french = await site.addSpace('Guide français', first.sectionId);
  frenchReference = await site.addSpace('Référence', second.sectionId);
  for (const { space } of [french, frenchReference]) await site.change('PATCH', space, { language: 'fr' });
  for (const { space } of [guide, french, reference, frenchReference])
    await site.contents.edit(space, insert('Turbine', 'About the turbine.'));
});

describe('the search of a site', () => {
  test('has a scope', async () => {
    const all = ids(guide, french, reference, frenchReference);
    expect(spacesIn(await search({ scope: { mode: 'all' } }))).toEqual(all);
    expect(spacesIn(await search({ scope: { mode: 'default' } }))).toEqual(ids(guide, reference));
    const inFrench = { mode: 'default', currentSiteSpace: french.siteSpace };
    expect(spacesIn(await search({ scope: inFrench }))).toEqual(ids(french, frenchReference));
    const included = { mode: 'default', includedSiteSpaces: [french.siteSpace] };
    expect(spacesIn(await search({ scope: included }))).toEqual(ids(guide, french, reference));
    const specific = { mode: 'specific', siteSpaceIds: [french.siteSpace] };
    const found = await search({ scope: specific });
    expect(spacesIn(found)).toEqual(ids(french));
    expect(found.body.items[0].pages[0]).toMatchObject({ title: 'Turbine', path: 'turbine' });
    expect(found.body.count).toBe(1);
  });

  test('accepts the deprecated forms', async () => {
    expect(spacesIn(await search({ mode: 'all' }))).toHaveLength(4);
    expect(spacesIn(await search({ siteSpaceIds: [french.siteSpace] }))).toEqual(ids(french));
    expect(spacesIn(await search({ mode: 'specific', siteSpaceIds: [guide.siteSpace] }))).toEqual(ids(guide));
    expect(spacesIn(await search({ mode: 'current', siteSpaceId: french.siteSpace }))).toEqual(
      ids(french, frenchReference),
    );
  });

  test('finds only what the caller may view', async () => {
    const member = await aMember(app, side.organizationId, null);
    await grantOn(app, member, 'read', [idIn(guide.space)], [], [site.id]);
    expect(spacesIn(await search({ scope: { mode: 'all' } }, member.token))).toEqual(ids(guide));
    const specific = { mode: 'specific', siteSpaceIds: [guide.siteSpace, french.siteSpace] };
    expect((await search({ scope: specific }, member.token)).status).toBe(404);
    const stranger = await aSide(app, 'beta');
    expect((await search({ scope: { mode: 'all' } }, stranger.admin.token)).status).toBe(404);
    const other = await aPublishedSite(app, side);
    const foreign = { mode: 'specific', siteSpaceIds: [guide.siteSpace] };
    expect((await search({ scope: foreign }, side.admin.token, other.site)).status).toBe(404);
  });

  test('refuses other scopes, and long queries', async () => {
    const refused = [
      {},
      { scope: {} },
      { scope: { mode: 'some' } },
      { scope: { mode: 'specific' } },
      { scope: { mode: 'specific', siteSpaceIds: [] } },
      { query: 'x'.repeat(513), scope: { mode: 'all' } },
    ];
    for (const body of refused) expect((await search(body)).status, JSON.stringify(body)).toBe(400);
  });
});
