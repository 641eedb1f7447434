import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
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

  test('is restricted to the current site space, or to the others', async () => {
    const within = (restrictTo: string, added: Added) =>
      search({ scope: { mode: 'default', currentSiteSpace: added.siteSpace, restrictTo } });
    expect(spacesIn(await within('currentSiteSpace', french))).toEqual(ids(french));
    expect(spacesIn(await within('otherSiteSpaces', french))).toEqual(ids(frenchReference));
    expect(spacesIn(await search({ scope: { mode: 'default', restrictTo: 'currentSiteSpace' } }))).toEqual(
      [],
    );
    expectError(await within('some', french), 400);
  });

  test('ranks pages over all spaces, and says what they are below', async () => {
    await site.contents.edit(
      reference.space,
      { operation: 'insert_page', type: 'group', title: 'Machines', ref: 'group' },
      insert('Dynamo', 'A dynamo is no dynamo.', { description: 'Makes power', into: 'group' }),
    );
    await site.contents.edit(guide.space, insert('Generators', 'Such as a dynamo.'));
    const { body } = await search({ query: 'dynamo', scope: { mode: 'all' } });
    expect(body.items).toMatchObject([
      { type: 'space', id: idIn(reference.space), score: body.items[0].pages[0].score },
      { type: 'space', id: idIn(guide.space), score: body.items[1].pages[0].score },
    ]);
    const [best, next] = body.items.map(({ pages }: { pages: object[] }) => pages[0]);
    expect(best).toMatchObject({
      title: 'Dynamo',
      description: 'Makes power',
      rank: 1,
      ancestors: [{ title: 'Machines' }],
    });
    expect(next).toMatchObject({ title: 'Generators', description: '', rank: 2, ancestors: [] });
    expect(best.score).toBeGreaterThan(next.score);
    expect(next.sections[0].score).toBe(next.score);
    const inSpace = await site.contents.get(`${reference.space}/search?query=dynamo`);
    expect(inSpace.items).toEqual([best]);
    const second = await app.call('POST', `${site.site}/search?limit=1`, {
      token: side.admin.token,
      body: { query: 'dynamo', scope: { mode: 'all' } },
    });
    const { page } = second.body.next;
    const rest = await app.call('POST', `${site.site}/search?limit=1&page=${page}`, {
      token: side.admin.token,
      body: { query: 'dynamo', scope: { mode: 'all' } },
    });
    expect(rest.body.items).toEqual([body.items[1]]);
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

  test('is not changed by the words of spaces that the caller may not view', async () => {
    const member = await aMember(app, side.organizationId, null);
    await grantOn(app, member, 'read', [idIn(guide.space)], [], [site.id]);
    await site.contents.edit(guide.space, insert('Windmill', 'The documentation of windmills.'));
    const answers = async () => {
      const found = [];
      for (const query of ['documentation globex', 'turbina', 'windmils globez'])
        found.push((await search({ query, scope: { mode: 'all' } }, member.token)).body);
      return found;
    };
    const before = await answers();
    expect(before.map(({ count }) => count)).toEqual([1, 1, 1]);
    await site.contents.edit(french.space, insert('Globex', 'documentation globex turbina windmil globez'));
    expect(await answers()).toEqual(before);
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
