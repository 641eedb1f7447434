import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide, type Side } from '../../../test/world.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

describe('a body', () => {
  test('is stored verbatim and sets the fields of its frontmatter', async () => {
    const space = await contents.aSpace();
    const body = 'Some  *odd*\r\n\r\n{% unknown thing %}\r\n\r\n|a|\r\n';
    const markdown = `---\ndescription: From the front\nicon: bolt\nfoo: [kept\n---\n\n# A title\n\n${body}`;
    const { changes, warnings } = await contents.edit(space, {
      operation: 'insert_page',
      document: { markdown },
    });
    const page = await contents.page(space, changes[0].page.id);
    expect(page).toMatchObject({
      title: 'A title',
      slug: 'a-title',
      description: 'From the front',
      icon: 'bolt',
    });
    expect(page.markdown.trimStart()).toBe(body);
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings[0]).toMatchObject({ change: 0, message: expect.any(String) });

    const explicit = await contents.edit(space, {
      operation: 'insert_page',
      title: 'Mine',
      description: 'Mine too',
      document: { markdown },
    });
    expect(await contents.page(space, idsOf(explicit)[0] ?? '')).toMatchObject({
      title: 'A title',
      description: 'From the front',
    });
  });

  test('may have an unquoted colon in its frontmatter, with a warning', async () => {
    const space = await contents.aSpace();
    const { warnings, changes } = await contents.edit(space, {
      operation: 'insert_page',
      document: { markdown: '---\ndescription: This: that\n---\n\n# Colon\n\nText\n' },
    });
    expect(JSON.stringify(warnings)).toContain('description');
    expect((await contents.page(space, changes[0].page.id)).description).toBe('This: that');
  });

  test('can be read and written as a document, and only edited blocks change', async () => {
    const space = await contents.aSpace();
    const markdown =
      'First   paragraph\nwith *this*.\n\n* one\n* two\n\n{% hint style="info" %}\nA hint\n{% endhint %}\n\nLast.\n';
    const [id = ''] = idsOf(await contents.edit(space, insert('Doc', markdown)));
    const { document, markdown: none } = await contents.page(space, id, '?format=document');
    expect(none).toBeUndefined();
    const last = document.nodes.at(-1);
    last.nodes[0].leaves[0].text = 'The last.';
    await contents.edit(space, { operation: 'update_page', page: id, document: { document } });
    expect((await contents.page(space, id)).markdown).toBe(markdown.replace('Last.', 'The last.'));

    const made = await contents.edit(space, {
      operation: 'insert_page',
      title: 'Made',
      document: { document },
    });
    const again = await contents.page(space, idsOf(made)[0] ?? '', '?format=document');
    expect(again.document.nodes.map((node: Answer['body']) => node.type)).toEqual(
      document.nodes.map((node: Answer['body']) => node.type),
    );
  });

  test('has a document id that is valid only in its space', async () => {
    const [space, other] = [await contents.aSpace(), await contents.aSpace()];
    const [id = ''] = idsOf(await contents.edit(space, insert('Doc', 'The same')));
    await contents.edit(other, insert('Doc', 'The same'));
    const { documentId } = await contents.page(space, id);
    const document = await contents.get(`${space}/documents/${documentId}`);
    expect(document).toEqual((await contents.page(space, id, '?format=document')).document);
    expectError(await contents.call('GET', `${other}/documents/${documentId}`), 404);
    await contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'Another' } });
    expect(await contents.get(`${space}/documents/${documentId}`)).toMatchObject({ object: 'document' });
  });
});

describe('entries of other kinds', () => {
  test('are groups, links, reusable contents and variables', async () => {
    const space = await contents.aSpace();
    const made = await contents.edit(
      space,
      { operation: 'insert_page', type: 'group', title: 'Group', ref: 'group' },
      insert('Inside', '{% include "/reusable-content/x" %}', { into: 'group' }),
      {
        operation: 'insert_page',
        type: 'link',
        title: 'Link',
        target: { kind: 'url', url: 'https://example.org/' },
      },
      { operation: 'insert_reusable_content', title: 'Shared', document: { markdown: 'Everywhere' } },
      { operation: 'set_variables', variables: { version: '1.2', beta: true } },
    );
    const shared = made.changes[3].reusableContent.id;
    const revision = await contents.get(`${space}/content`);
    expect(revision).toMatchObject({
      pages: [
        { type: 'group', kind: 'group', path: 'group', pages: [{ path: 'group/inside' }] },
        { type: 'link', kind: 'link', target: { kind: 'url', url: 'https://example.org/' } },
      ],
      reusableContents: [{ id: shared, title: 'Shared' }],
      variables: { version: '1.2', beta: true },
    });
    const text = await contents.get(`${space}/content/reusable-contents/${shared}/document`);
    expect(JSON.stringify(text)).toContain('Everywhere');
    await contents.edit(
      space,
      { operation: 'update_reusable_content', reusableContent: shared, document: { markdown: 'Elsewhere' } },
      { operation: 'set_variables', variables: { beta: null } },
    );
    expect((await contents.get(`${space}/content`)).variables).toEqual({ version: '1.2' });
    await contents.edit(space, { operation: 'delete_reusable_content', reusableContent: shared });
    expectError(await contents.call('GET', `${space}/content/reusable-contents/${shared}`), 404);
  });

  test('have fields: layout, cover, variables, tags, flags', async () => {
    const space = await contents.aSpace();
    const fields = {
      layout: { width: 'wide', outline: false },
      cover: { ref: { kind: 'url', url: 'https://example.org/a.png' }, yPos: 12 },
      variables: { x: 1 },
      hidden: true,
      noIndex: true,
      noRobotsIndex: true,
      icon: 'bolt',
    };
    const [id = ''] = idsOf(await contents.edit(space, insert('Fields', '', { ...fields, tags: ['a'] })));
    const page = await contents.page(space, id);
    expect(page).toMatchObject({
      ...fields,
      layout: { width: 'wide', outline: false, title: true },
      tags: [{ tag: { kind: 'tag', tag: 'a' } }],
    });
    await contents.edit(space, {
      operation: 'update_page',
      page: id,
      cover: null,
      icon: null,
      tags: null,
      hidden: false,
    });
    const after = await contents.page(space, id);
    expect([after.cover, after.icon, after.tags, after.hidden]).toEqual([
      undefined,
      undefined,
      [],
      undefined,
    ]);
  });

  test('are documents where the request names no format, if the operator says so', async () => {
    const other = await startApp({ environment: { OCTAVO_PAGE_FORMAT: 'document' } });
    const there = contentsOf(other, await aSide(other, 'documents'));
    const space = await there.aSpace();
    const [id = ''] = idsOf(await there.edit(space, insert('Page', 'Some *text*.')));
    for (const path of [`page/${id}`, 'path/page']) {
      const page = await there.get(`${space}/content/${path}`);
      expect(page.document.nodes[0]).toMatchObject({ type: 'paragraph' });
      expect(page).not.toHaveProperty('markdown');
    }
    expect(await there.page(space, id, '?format=markdown')).toMatchObject({ markdown: 'Some *text*.' });
    const mine = await contents.aSpace();
    const [plain = ''] = idsOf(await contents.edit(mine, insert('Page', 'Text.')));
    expect(await contents.page(mine, plain)).toMatchObject({ markdown: 'Text.' });
  });

  test('cannot refer to a space that the caller may not view', async () => {
    const space = await contents.aSpace();
    const otherSide = await aSide(app, 'beta');
    const { body } = await app.call('POST', `/v1/orgs/${otherSide.organizationId}/spaces`, {
      token: otherSide.admin.token,
      body: {},
    });
    const target = { kind: 'space', space: body.id };
    expectError(
      await contents.send(space, [{ operation: 'insert_page', type: 'link', title: 'L', target }]),
      404,
    );
  });
});

describe('evaluation', () => {
  test('replaces expressions by their values and evaluates conditions', async () => {
    const space = await contents.aSpace();
    const markdown =
      'Version <code class="expression">space.vars.version</code> of <code class="expression">page.vars.name</code>.\n\n' +
      '{% if space.vars.version === "2" %}\nShown\n{% endif %}\n\n' +
      '{% if visitor.claims.unsigned.plan === "pro" %}\nHidden\n{% endif %}\n';
    const edited = await contents.edit(
      space,
      { operation: 'set_variables', variables: { version: '2' } },
      insert('Page', markdown, { variables: { name: 'Octavo' } }),
    );
    const id = edited.changes[1].page.id;
    expect((await contents.page(space, id)).markdown).toBe(markdown);
    const all = (await contents.page(space, id, '?evaluated=true')).markdown;
    expect(all).toContain('Version 2 of Octavo.');
    expect(all).toContain('Shown');
    expect(all).not.toContain('Hidden');
    const some = (await contents.page(space, id, '?evaluated=deterministic-only')).markdown;
    expect(some).toContain('Version 2 of Octavo.');
    expect(some).toContain('{% if visitor.claims.unsigned.plan === "pro" %}');
    const { document } = await contents.page(space, id, '?evaluated=true&format=document');
    expect(JSON.stringify(document)).not.toContain('expression');
  });
});

describe('history', () => {
  test('lists revisions, restores one, and reverts pages and blocks', async () => {
    const space = await contents.aSpace();
    const first = await contents.edit(space, insert('Page', 'One\n\nTwo\n'));
    const [id = ''] = idsOf(first);
    const second = await contents.edit(space, {
      operation: 'update_page',
      page: id,
      title: 'Renamed',
      document: { markdown: 'One changed\n\nTwo\n\nThree\n' },
    });
    const { document } = await contents.page(space, id, '?format=document');
    const [one, , three] = document.nodes.map((node: Answer['body']) => node.key);
    await contents.edit(space, {
      operation: 'revert_page',
      page: id,
      revision: first.revision,
      block: [one],
    });
    expect(await contents.page(space, id)).toMatchObject({
      title: 'Renamed',
      markdown: 'One\n\nTwo\n\nThree\n',
    });
    expect(three).toBeTruthy();
    await contents.edit(space, { operation: 'revert_page', page: id, revision: first.revision });
    expect(await contents.page(space, id)).toMatchObject({ title: 'Page', markdown: 'One\n\nTwo\n' });

    const restore = (tag: string) =>
      contents.call('POST', `${space}/revisions/${second.revision}/restore`, undefined, { 'if-match': tag });
    for (const tag of ['"x"', `"${second.revision}"`]) expectError(await restore(tag), 412);
    const restored = await restore(`"${(await contents.get(space)).revision}"`);
    expect(restored.status, restored.text).toBe(200);
    expect(await contents.page(space, id)).toMatchObject({ title: 'Renamed' });
    expect(await contents.get(`${space}/content`)).toMatchObject({
      id: restored.body.revision,
      type: 'rollback',
    });
    const history = await contents.get(`${space}/revisions?limit=3`);
    expect(history.count).toBe(6);
    expect(history.items[0]).toMatchObject({
      id: restored.body.revision,
      type: 'rollback',
      author: side.admin.id,
    });
    expectError(await contents.call('POST', `${space}/revisions/${second.revision}/restore`), 409);
    expectError(await contents.call('GET', `${await contents.aSpace()}/revisions/${second.revision}`), 404);
  });

  test('reverts a single block; an unknown block is named in the error', async () => {
    const space = await contents.aSpace();
    const first = await contents.edit(space, insert('Page', 'one\n\ntwo\n\nthree'));
    const [page = ''] = idsOf(first);
    const keysOf = async () =>
      (await contents.page(space, page, '?format=document')).document.nodes.map(
        ({ key }: Answer['body']) => key,
      );
    const old = await keysOf();
    const update = { operation: 'update_page', page, document: { markdown: 'ONE\n\nTWO\n\nTHREE' } };
    const revert = (...block: string[]) => ({
      operation: 'revert_page',
      page,
      revision: first.revision,
      block,
    });
    await contents.edit(space, update);
    const keys = await keysOf();
    for (const key of [old[1], keys[1]]) {
      await contents.edit(space, update);
      await contents.edit(space, revert(key));
      expect((await contents.page(space, page)).markdown).toBe('ONE\n\ntwo\n\nTHREE');
    }
    const refused = await contents.send(space, [insert('Other'), revert(old[0], 'nope')]);
    expectError(refused, 400);
    expect(refused.body.error.message).toContain('"nope"');
    expect(refused.body.error.details[0].path).toBe('body.changes.1.block.1');
  });

  test('of a duplicate shares content and is separate', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Page', 'Text')));
    const [before] = await app.sql('select count(*) from content_objects');
    const copy = `/v1/spaces/${(await contents.call('POST', `${space}/duplicate`)).body.id}`;
    expect((await app.sql('select count(*) from content_objects'))[0]).toEqual(before);
    await contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'New' } });
    expect((await contents.page(copy, id)).markdown).toBe('Text');
  });
});

describe('hostile or excessive content', () => {
  test('is rejected with a 400 that names the place', async () => {
    const space = await contents.aSpace();
    const [id = ''] = idsOf(await contents.edit(space, insert('Top')));
    let above = id;
    for (let depth = 2; depth <= 32; depth++) {
      [above = ''] = idsOf(await contents.edit(space, insert(`Level ${depth}`, '', { into: above })));
    }
    const before = (await contents.get(space)).revision;
    for (const changes of [
      [insert('Too deep', '', { into: above })],
      [{ operation: 'move_page', page: id, into: above }],
      [{ operation: 'move_page', page: id, into: id }],
      [insert('Where', '', { into: 'nowhere' })],
      [insert('\u0000\u0001\u0007')],
      [insert('Fine', '', { slug: 'a\u202eb' })],
      [insert('Fine', '', { slug: 'zero\u200bwidth' })],
      [insert('Fine', '', { ref: 'x' }), insert('Fine', '', { ref: 'x' })],
      [{ operation: 'explode' }],
      [
        {
          operation: 'insert_page',
          title: 'No',
          document: { document: { object: 'document', nodes: [null] } },
        },
      ],
      [
        {
          operation: 'insert_page',
          title: 'No',
          document: {
            document: { object: 'document', nodes: [{ object: 'block', type: 'paragraph', nodes: ['x'] }] },
          },
        },
      ],
      [{ operation: 'insert_page', type: 'link', title: 'Link' }],
    ]) {
      const answer = await contents.send(space, changes);
      expect(answer.status, JSON.stringify(changes)).toBe(400);
      expectError(answer, 400);
      expect(answer.body.error.details[0].path, answer.text).toMatch(/^body\.changes\.\d/);
    }
    expect((await contents.get(space)).revision).toBe(before);
    expectError(await contents.send(space, [insert('Large', 'x'.repeat(2 * 1024 * 1024 + 1))]), 413);
    expectError(
      await contents.send(space, [{ operation: 'insert_page', title: 'No', document: { markdown: 1 } }]),
      400,
    );
    expect((await contents.pages(space)).length).toBe(1);
  });

  test('nested 100,000 levels deep is plain text', async () => {
    const space = await contents.aSpace();
    for (const markdown of ['> '.repeat(100_000), '* '.repeat(100_000), '[a]('.repeat(50_000)]) {
      const [id = ''] = idsOf(await contents.edit(space, insert('Deep', markdown)));
      expect((await contents.page(space, id)).markdown).toBe(markdown);
      expect((await contents.call('GET', `${space}/content/page/${id}?format=document`)).status).toBe(200);
    }
  });

  test('from concurrent writers is stored completely', async () => {
    const space = await contents.aSpace();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => contents.send(space, [insert(`Page ${n}`)])),
    );
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const slugs = (await contents.pages(space)).map(({ slug }) => slug).toSorted();
    expect(slugs).toEqual(Array.from({ length: 20 }, (_, n) => `page-${n}`).toSorted());
  });

  test('repeated with the same idempotency key is applied once', async () => {
    const space = await contents.aSpace();
    const key = { 'idempotency-key': 'once' };
    const [first, second] = [
      await contents.send(space, [insert('Once')], key),
      await contents.send(space, [insert('Once')], key),
    ];
    expect(second.body).toEqual(first.body);
    expect((await contents.pages(space)).length).toBe(1);
  });
});
