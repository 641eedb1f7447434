import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../../test/app.ts';
import { dice, statuses } from '../../../../test/places.ts';
import { publishedSitesOf, type PublishedSites } from '../../../../test/published-sites.ts';
import { detailsOf, expectError } from '../../../../test/refusal.ts';
import { aMember, aWorld, grantOn, type World } from '../../../../test/world.ts';

let app: TestApp;
let world: World;
let sites: PublishedSites;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  sites = publishedSitesOf(app, world.a);
});

const call = (...args: Parameters<PublishedSites['call']>) => sites.call(...args);
const idOf = (site: string) => site.split('/').at(-1) ?? '';

describe('sections', () => {
  test('the first section takes over the site spaces of the root, and their default stays', async () => {
    const site = await sites.aSite();
    await sites.addSiteSpace(site, 'One');
    const two = await sites.addSiteSpace(site, 'Two');
    await call('PATCH', site, { defaultSiteSpace: two.id });
    expect(await sites.structure(site)).toBe('One Two*');
    const section = await sites.addSection(site, 'Guides', two.space.id);
    expect(section).toMatchObject({ object: 'site-section', title: 'Guides', path: 'guides', default: true });
    expect(await sites.structure(site)).toBe('Guides*(One Two*)');
    await sites.addSection(site, 'API');
    await sites.addSiteSpace(site, 'Three');
    expect(await sites.structure(site)).toBe('Guides*(One Two* Three) API(API*)');
  });

  test('paths are made from titles, unique in the site, also for concurrent requests', async () => {
    const site = await sites.aSite();
    const added = await Promise.all(Array.from({ length: 5 }, () => sites.addSection(site, 'Guide')));
    expect(added.map(({ path }) => path).toSorted()).toEqual([
      'guide',
      'guide-1',
      'guide-2',
      'guide-3',
      'guide-4',
    ]);
    expect(added.filter((section) => section.default)).toHaveLength(1);
    const variants = await Promise.all(
      Array.from({ length: 5 }, () => sites.addSiteSpace(site, 'Same', added[0].id)),
    );
    expect(new Set(variants.map(({ path }) => path)).size).toBe(5);
  });

  test('without a title, the title of the space is used', async () => {
    const site = await sites.aSite();
    const spaceId = await sites.aSpace(undefined, 'Title of the space');
    const section = await sites.created(
      call('POST', `${site}/sections`, { spaceId, title: null, icon: 'gear' }),
    );
    expect(section).toMatchObject({ title: 'Title of the space', icon: 'gear' });
    const short = await sites.aSpace(undefined, 'A');
    expect((await sites.created(call('POST', `${site}/sections`, { spaceId: short }))).title).toBe(
      'Untitled',
    );
  });

  test('PATCH changes the given fields; null and the empty string remove them', async () => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Section');
    const other = await sites.addSiteSpace(site, 'Other', section.id);
    const path = `${site}/sections/${section.id}`;
    const given = {
      title: 'New',
      path: 'new',
      description: 'Text',
      icon: 'gear',
      condition: 'visitor.claims.beta',
    };
    expect((await call('PATCH', path, given)).body).toMatchObject(given);
    const changed = (await call('PATCH', path, { title: 'Newer', defaultSiteSpace: other.id })).body;
    expect(changed).toMatchObject({ ...given, title: 'Newer' });
    expect(changed.siteSpaces.map((each: { default: boolean }) => each.default)).toEqual([false, true]);
    const cleared = (await call('PATCH', path, { description: '', icon: null, condition: null })).body;
    expect([cleared.description, cleared.icon, cleared.condition]).toEqual([undefined, undefined, undefined]);
    expect((await sites.get(path)).body).toEqual(cleared);
  });

  test('deleting the default picks the next one, and in the end an empty site has none', async () => {
    const site = await sites.aSite();
    const [one, two, three] = [
      await sites.addSection(site, 'One'),
      await sites.addSection(site, 'Two'),
      await sites.addSection(site, 'Three'),
    ];
    await call('PATCH', site, { defaultSiteSection: two.id });
    expect((await call('DELETE', `${site}/sections/${two.id}`)).status).toBe(205);
    expect(await sites.structure(site)).toBe('One(One*) Three*(Three*)');
    await call('DELETE', `${site}/sections/${three.id}`);
    expect(await sites.structure(site)).toBe('One*(One*)');
    await call('DELETE', `${site}/sections/${one.id}`);
    expect((await sites.get(`${site}/structure`)).body).toEqual({ type: 'siteSpaces', structure: [] });
    expectError(await call('DELETE', `${site}/sections/${one.id}`), 404);
  });

  test('are listed in their order, page by page', async () => {
    const site = await sites.aSite();
    const [one, two] = [await sites.addSection(site, 'One'), await sites.addSection(site, 'Two')];
    await sites.addGroup(site, 'Group', { sections: [one.id] });
    const first = (await sites.get(`${site}/sections?limit=1`)).body;
    expect(first).toMatchObject({ count: 2, items: [{ id: two.id }] });
    const second = (await sites.get(`${site}/sections?limit=1&page=${first.next.page}`)).body;
    expect(second.items).toMatchObject([{ id: one.id, siteSpaces: [{ title: 'One' }] }]);
    expect(second.next).toBeUndefined();
  });
});

describe('paths', () => {
  test('that are taken return 409; the same path in another section or site is free', async () => {
    const site = await sites.aSite();
    const [one, two] = [await sites.addSection(site, 'One'), await sites.addSection(site, 'Two')];
    expectError(await call('PATCH', `${site}/sections/${two.id}`, { path: 'one' }), 409, /path/);
    const variant = await sites.addSiteSpace(site, 'Variant', one.id);
    expectError(await call('PATCH', `${site}/site-spaces/${variant.id}`, { path: 'One' }), 409, /path/);
    expect((await call('PATCH', `${site}/site-spaces/${variant.id}`, { path: 'two' })).body.path).toBe('two');
    const elsewhere = await sites.aSite();
    expect((await sites.addSection(elsewhere, 'One')).path).toBe('one');
  });

  test.each([
    'a/b',
    '/a',
    '..',
    '../a',
    'a..b',
    '.hidden',
    '~',
    '~octavo',
    'llms.txt',
    'Sitemap.xml',
    'a b',
    'a\u200bb',
    'a?b',
    'x'.repeat(101),
    '',
  ])('refuses %j: 400', async (path) => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Section');
    for (const item of [`sections/${section.id}`, `site-spaces/${section.siteSpaces[0].id}`]) {
      const answer = await call('PATCH', `${site}/${item}`, { path });
      expectError(answer, 400);
      expect(detailsOf(answer)[0]).toMatch(/^body\.path: must/);
    }
  });

  test.each(['v1.0', '2.x_beta', '日本語', 'v1'])('accepts %j', async (path) => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Section');
    expect((await call('PATCH', `${site}/sections/${section.id}`, { path })).body.path).toBe(path);
  });
});

describe('conditions', () => {
  test.each([
    ['a ==', /at character|position|end/i],
    ['visitor.claims.', /./],
    ['1 +* 2', /at character 4/],
    ['(a', /./],
    ['process.exit()', /./],
    ['x'.repeat(1025), /1024/],
    ['', /./],
  ])('%j is refused with its position: 400', async (condition, message) => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Section');
    for (const item of [`sections/${section.id}`, `site-spaces/${section.siteSpaces[0].id}`]) {
      const answer = await call('PATCH', `${site}/${item}`, { condition });
      expectError(answer, 400, message);
      expect(detailsOf(answer)[0]).toMatch(/^body\.condition: /);
    }
  });

  test('omitted: unchanged; null: removed; 1,024 characters are accepted', async () => {
    const site = await sites.aSite();
    const siteSpace = await sites.addSiteSpace(site, 'Variant');
    const path = `${site}/site-spaces/${siteSpace.id}`;
    const condition = `a == "${'x'.repeat(1017)}"`;
    expect(condition).toHaveLength(1024);
    expect((await call('PATCH', path, { condition })).body.condition).toBe(condition);
    expect((await call('PATCH', path, { path: 'other' })).body.condition).toBe(condition);
    expect((await call('PATCH', path, { condition: null })).body.condition).toBeUndefined();
  });
});

describe('groups', () => {
  test('contain sections and groups in one order; deleting one frees its contents', async () => {
    const site = await sites.aSite();
    const [one, two, three] = [
      await sites.addSection(site, 'One'),
      await sites.addSection(site, 'Two'),
      await sites.addSection(site, 'Three'),
    ];
    const outer = await sites.addGroup(site, 'Outer', { sections: [two.id, one.id], icon: 'gear' });
    expect(outer).toMatchObject({ object: 'site-section-group', title: 'Outer', icon: 'gear' });
    expect(outer.sections.map(({ title }: { title: string }) => title)).toEqual(['Two', 'One']);
    const inner = await sites.addGroup(site, 'Inner', { parent: outer.id });
    expect(inner.sectionGroup).toBe(outer.id);
    const added = await call('POST', `${site}/section-groups/${inner.id}/sections`, { sectionId: three.id });
    expect([added.status, added.body.children[0].id]).toEqual([201, three.id]);
    expect(await sites.structure(site)).toBe('Outer(Two(Two*) One*(One*) Inner(Three(Three*)))');
    const listed = (await sites.get(`${site}/section-groups`)).body.items;
    expect(listed.map(({ title }: { title: string }) => title)).toEqual(['Outer', 'Inner']);

    const removed = `${site}/section-groups/${outer.id}/sections/${one.id}`;
    expect((await call('DELETE', removed)).status).toBe(205);
    expectError(await call('DELETE', removed), 404);
    expect(await sites.structure(site)).toBe('Outer(Two(Two*) Inner(Three(Three*))) One*(One*)');
    expect((await call('DELETE', `${site}/section-groups/${outer.id}`)).status).toBe(205);
    expect(await sites.structure(site)).toBe('Two(Two*) Inner(Three(Three*)) One*(One*)');
  });

  test('are never inside themselves, and at most 8 deep: 400', async () => {
    const site = await sites.aSite();
    const groups = [await sites.addGroup(site, 'Group 1')];
    while (groups.length < 8)
      groups.push(await sites.addGroup(site, `Group ${groups.length + 1}`, { parent: groups.at(-1).id }));
    const [outer, inner] = groups;
    expectError(
      await call('POST', `${site}/section-groups`, { title: 'Nine', parent: groups[7].id }),
      400,
      /8/,
    );
    expectError(await sites.sort(site, outer, { before: inner }), 400, /itself/);
    for (const parent of [outer, inner, groups[7]]) {
      const patched = await call('PATCH', `${site}/section-groups/${outer.id}`, {
        parentSectionGroupId: parent.id,
      });
      expectError(patched, 400, /itself/);
    }
    const another = await sites.addGroup(site, 'Another');
    const nested = await call('PATCH', `${site}/section-groups/${outer.id}`, {
      parentSectionGroupId: another.id,
    });
    expectError(nested, 400, /8/);
    const freed = await call('PATCH', `${site}/section-groups/${inner.id}`, { parentSectionGroupId: null });
    expect([freed.status, freed.body.sectionGroup]).toEqual([200, undefined]);
  });

  test.each([{}, { title: '' }, { title: 'x'.repeat(101) }, { title: 'T', icon: 'x'.repeat(51) }])(
    'refuses %j: 400',
    async (body) => expectError(await call('POST', `${await sites.aSite()}/section-groups`, body), 400),
  );
});

describe('site spaces', () => {
  test('one is the default; deleting it picks the next one', async () => {
    const site = await sites.aSite();
    const [one, two, three] = [
      await sites.addSiteSpace(site, 'One'),
      await sites.addSiteSpace(site, 'Two'),
      await sites.addSiteSpace(site, 'Three'),
    ];
    await call('PATCH', site, { defaultSiteSpace: two.id });
    const defaults = async (value: boolean) =>
      (await sites.get(`${site}/site-spaces?default=${value}`)).body.items.map(
        ({ id }: { id: string }) => id,
      );
    expect(await defaults(true)).toEqual([two.id]);
    expect(await defaults(false)).toEqual([one.id, three.id]);
    expect((await call('DELETE', `${site}/site-spaces/${two.id}`)).status).toBe(205);
    expect(await sites.structure(site)).toBe('One Three*');
    await call('DELETE', `${site}/site-spaces/${three.id}`);
    await call('DELETE', `${site}/site-spaces/${one.id}`);
    expect(await sites.structure(site)).toBe('');
  });

  test('repointing shows another space and keeps the path', async () => {
    const site = await sites.aSite();
    const siteSpace = await sites.addSiteSpace(site, 'One');
    const spaceId = await sites.aSpace(undefined, 'Another');
    const { body } = await call('PATCH', `${site}/site-spaces/${siteSpace.id}`, { spaceId });
    expect(body).toMatchObject({ path: 'one', title: 'Another', space: { id: spaceId }, default: true });
  });

  test('adding and repointing require admin on the space', async () => {
    const site = await sites.aSite();
    const siteSpace = await sites.addSiteSpace(site, 'One');
    const editor = await aMember(app, world.a.organizationId, 'create');
    const [own, other] = [await sites.aSpace(), await sites.aSpace()];
    await grantOn(app, editor, 'admin', [own, siteSpace.space.id], [], [idOf(site)]);
    const as = (method: string, path: string, body: object) => call(method, site + path, body, editor.token);
    expectError(await as('POST', '/site-spaces', { spaceId: other }), 403);
    expectError(await as('POST', '/sections', { spaceId: other }), 403);
    expectError(await as('PATCH', `/site-spaces/${siteSpace.id}`, { spaceId: other }), 403);
    expect((await as('POST', '/site-spaces', { spaceId: own })).status).toBe(201);
    expect((await as('PATCH', `/site-spaces/${siteSpace.id}`, { spaceId: own })).status).toBe(200);
  });

  test('whose space the caller may not view are omitted everywhere', async () => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Shown');
    const hidden = await sites.addSiteSpace(site, 'Secret', section.id);
    await call('PATCH', `/v1/spaces/${hidden.space.id}`, { defaultLevel: null });
    const reader = await aMember(app, world.a.organizationId, 'read');
    await grantOn(app, reader, 'admin', [], [], [idOf(site)]);
    expect(await sites.structure(site, reader.token)).toBe('Shown*(Shown*)');
    const { body, text } = await sites.get(`${site}/site-spaces`, reader.token);
    expect([body.count, text.includes('Secret')]).toEqual([1, false]);
    for (const path of ['structure', 'sections', `sections/${section.id}`])
      expect((await sites.get(`${site}/${path}`, reader.token)).text).not.toContain('Secret');
    const path = `${site}/site-spaces/${hidden.id}`;
    expectError(await sites.get(path, reader.token), 404);
    expectError(await call('PATCH', path, { path: 'x' }, reader.token), 404);
    expectError(await call('DELETE', path, undefined, reader.token), 404);
  });
});

describe('items of another site', () => {
  test('do not exist: 404, and a default of another section is 400', async () => {
    const [site, other] = [await sites.aSite(), await sites.aSite()];
    const section = await sites.addSection(site, 'Section');
    const foreign = await sites.addSection(other, 'Foreign');
    const foreignGroup = await sites.addGroup(other, 'Foreign');
    const group = await sites.addGroup(site, 'Group');
    const foreignSpace = foreign.siteSpaces[0];
    const spaceId = section.siteSpaces[0].space.id;
    const refused: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', `/sections/${foreign.id}`],
      ['PATCH', `/sections/${foreign.id}`, { title: 'Mine' }],
      ['DELETE', `/sections/${foreign.id}`],
      ['PATCH', `/sections/${section.id}`, { defaultSiteSpace: foreignSpace.id }],
      ['PATCH', `/sections/${section.id}`, { siteSectionGroupId: foreignGroup.id }],
      ['PATCH', '', { defaultSiteSection: foreign.id }],
      ['PATCH', '', { defaultSiteSpace: foreignSpace.id }],
      ['POST', '/site-spaces', { spaceId, sectionId: foreign.id }],
      ['POST', '/section-groups', { title: 'New', sections: [section.id, foreign.id] }],
      ['POST', '/section-groups', { title: 'New', parent: foreignGroup.id }],
      ['POST', `/section-groups/${group.id}/sections`, { sectionId: foreign.id }],
      ['POST', `/section-groups/${foreignGroup.id}/sections`, { sectionId: section.id }],
      [
        'POST',
        `/sections/${section.id}/move`,
        { position: { after: { type: 'site-section', siteSection: foreign.id } } },
      ],
    ];
    for (const [method, path, body] of refused) expectError(await call(method, site + path, body), 404);
    expectError(await sites.sort(site, section, { after: foreign }), 404);
    const second = await sites.addSection(site, 'Second');
    const wrong = { defaultSiteSpace: second.siteSpaces[0].id };
    expectError(await call('PATCH', `${site}/sections/${section.id}`, wrong), 400, /another section/);
    expectError(await call('PATCH', site, wrong), 400, /another section/);
    expect(await sites.structure(other)).toBe('Foreign*(Foreign*) Foreign()');
  });
});

describe('moving', () => {
  test('sorts sections and groups; a move that changes nothing returns 200', async () => {
    const site = await sites.aSite();
    const [one, two, three] = [
      await sites.addSection(site, 'One'),
      await sites.addSection(site, 'Two'),
      await sites.addSection(site, 'Three'),
    ];
    const group = await sites.addGroup(site, 'Group', { sections: [three.id] });
    const titles = async () => (await sites.structure(site)).replaceAll(/\(\w+\*\)|\*/g, '');
    expect((await sites.sort(site, two, { before: one })).body.id).toBe(two.id);
    expect(await titles()).toBe('Two One Group(Three)');
    expect((await sites.sort(site, two, { before: one })).status).toBe(200);
    await sites.sort(site, group, { after: two });
    expect(await titles()).toBe('Two Group(Three) One');
    expect((await sites.sort(site, one, { after: three })).body.sectionGroup).toBe(group.id);
    expect(await titles()).toBe('Two Group(Three One)');
    await sites.sort(site, one, { after: two, before: group });
    expect(await titles()).toBe('Two One Group(Three)');
    await sites.sort(site, three);
    expect(await titles()).toBe('Two One Group() Three');
    expectError(await sites.sort(site, three, { after: two, before: group }), 400, /adjacent/);
    expectError(await sites.sort(site, two, { after: two }), 400, /being moved/);
    expectError(await sites.sort(site, two, { after: one.siteSpaces[0] }), 400, /site space/);
    expectError(await sites.sort(site, one.siteSpaces[0], { after: two }), 400, /site space/);
  });

  test('replaces keys that would become too long', async () => {
    const site = await sites.aSite();
    const [one, two, three] = [
      await sites.addSection(site, 'One'),
      await sites.addSection(site, 'Two'),
      await sites.addSection(site, 'Three'),
    ];
    const [first, second, third] = [
      one.siteSpaces[0],
      await sites.addSiteSpace(site, 'Second', one.id),
      await sites.addSiteSpace(site, 'Third', one.id),
    ];
    const long = `a0${'V'.repeat(150)}`;
    for (const [table, ids] of [
      ['site_sections', [one.id, two.id]],
      ['site_spaces', [first.id, second.id]],
    ] as const) {
      await app.sql(`update ${table} set position = $2 where id = $1`, [ids[0], long]);
      await app.sql(`update ${table} set position = $2 where id = $1`, [ids[1], `${long}V`]);
    }
    expect((await sites.sort(site, three, { after: one })).status).toBe(200);
    expect((await sites.sort(site, third, { after: first })).status).toBe(200);
    expect((await sites.structure(site)).replaceAll('*', '')).toBe(
      'One(One Third Second) Three(Three) Two(Two)',
    );
    const rows = await app.sql(
      `select position from site_sections where site_id = $1
       union all select position from site_spaces where site_id = $1`,
      [idOf(site)],
    );
    for (const { position } of rows) expect(String(position).length).toBeLessThan(30);
  });

  test('the deprecated operations do the same, also without a body', async () => {
    const site = await sites.aSite();
    const [one, two] = [await sites.addSection(site, 'One'), await sites.addSection(site, 'Two')];
    const group = await sites.addGroup(site, 'Group');
    const variant = await sites.addSiteSpace(site, 'Variant', one.id);
    const titles = async () => (await sites.structure(site)).replaceAll(/\*/g, '');
    const before = (pointer: object) => ({ position: { before: pointer } });
    const section = { type: 'site-section', siteSection: one.id };
    expect((await call('POST', `${site}/sections/${two.id}/move`, before(section))).body.id).toBe(two.id);
    expect(await titles()).toBe('Two(Two) One(One Variant) Group()');
    const pointer = { type: 'site-section', id: one.id };
    expect((await call('POST', `${site}/section-groups/${group.id}/move`, before(pointer))).status).toBe(200);
    expect(await titles()).toBe('Two(Two) Group() One(One Variant)');
    expect((await call('POST', `${site}/sections/${two.id}/move`)).status).toBe(200);
    expect((await call('POST', `${site}/section-groups/${group.id}/move`, {})).status).toBe(200);
    expect(await titles()).toBe('One(One Variant) Two(Two) Group()');
    const siteSpace = { type: 'site-space', siteSpace: one.siteSpaces[0].id };
    expect((await call('POST', `${site}/site-spaces/${variant.id}/move`, before(siteSpace))).body.id).toBe(
      variant.id,
    );
    expect(await titles()).toBe('One(Variant One) Two(Two) Group()');
    expect((await call('POST', `${site}/site-spaces/${variant.id}/move`)).status).toBe(200);
    expect(await titles()).toBe('One(One Variant) Two(Two) Group()');
  });

  test('a site space moved to another section leaves a default behind', async () => {
    const site = await sites.aSite();
    const [one, two] = [await sites.addSection(site, 'One'), await sites.addSection(site, 'Two')];
    await sites.addSiteSpace(site, 'Variant', one.id);
    await sites.sort(site, one.siteSpaces[0], { after: two.siteSpaces[0] });
    expect(await sites.structure(site)).toBe('One*(Variant*) Two(Two* One)');
    await sites.addSiteSpace(site, 'One', one.id);
    const taken = (await sites.get(`${site}/site-spaces`)).body.items;
    const [, last] = taken.filter(({ path }: { path: string }) => path === 'one').toReversed();
    expectError(await sites.sort(site, last, { after: two.siteSpaces[0] }), 409, /path/);
  });

  test('random concurrent changes keep one default and distinct positions', async () => {
    const site = await sites.aSite();
    const roll = dice(7);
    const sections: Awaited<ReturnType<PublishedSites['addSection']>>[] = [];
    for (let index = 0; index < 4; index++) sections.push(await sites.addSection(site, `S${index}`));
    const group = await sites.addGroup(site, 'Group');
    const pick = () => sections[roll(sections.length)];
    for (let round = 0; round < 6; round++) {
      const answers = Array.from({ length: 6 }, () => {
        switch (roll(4)) {
          case 0:
            return sites.sort(site, pick(), { after: pick() });
          case 1:
            return sites.sort(site, pick());
          case 2:
            return call('POST', `${site}/section-groups/${group.id}/sections`, { sectionId: pick().id });
          default:
            return call('PATCH', site, { defaultSiteSection: pick().id });
        }
      });
      for (const status of await statuses(answers)) expect([200, 201, 400]).toContain(status);
    }
    const rows = await app.sql(
      `select group_id, position, is_default from site_sections where site_id = $1
       union all select parent_id, position, false from site_section_groups where site_id = $1`,
      [idOf(site)],
    );
    expect(rows.filter((row) => row['is_default'])).toHaveLength(1);
    expect(new Set(rows.map((row) => `${row['group_id']} ${row['position']}`)).size).toBe(rows.length);
  });
});

test('a site has at most 500 groups: 400', async () => {
  const site = await sites.aSite();
  await app.sql(
    `insert into site_section_groups (id, site_id, title, position)
     select $1 || n, $1, 'Group', 'a' || lpad(n::text, 4, '0') from generate_series(1, 500) n`,
    [idOf(site)],
  );
  expectError(await call('POST', `${site}/section-groups`, { title: 'One more' }), 400, /at most 500/);
});

describe('the database', () => {
  test('refuses a site without defaults, and site spaces beside sections', async () => {
    const site = await sites.aSite();
    const section = await sites.addSection(site, 'Section');
    const refused = (text: string) =>
      expect(app.sql(text, [section.id])).rejects.toMatchObject({ code: '23514' });
    await refused('update site_sections set is_default = false where id = $1');
    await refused('update site_spaces set is_default = false where section_id = $1');
    await refused('update site_spaces set section_id = null where section_id = $1');
    expect(await sites.structure(site)).toBe('Section*(Section*)');
  });
});
