import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../../test/content.ts';
import { detailsOf, expectError } from '../../../../test/refusal.ts';
import { aSide } from '../../../../test/world.ts';
import { buildTree } from '../../../content-engine/tree/index.ts';
import { presentPage, type Shown } from '../../revisions/present.ts';

let contents: Contents;
let space: string;
let page: string;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
  space = await contents.aSpace();
  [page = ''] = idsOf(await contents.edit(space, insert('Page')));
});

/** The details of the error for the second change of a batch. */
async function detailsFor(change: object): Promise<string[]> {
  const before = (await contents.get(space)).revision;
  const answer = await contents.send(space, [insert('Good'), change]);
  expectError(answer, 400, /^body\.changes\.1/);
  expect((await contents.get(space)).revision).toBe(before);
  return detailsOf(answer);
}

const file = { name: 'a.txt', base64: '' };

describe('the error for an invalid change', () => {
  test.each<[object, string]>([
    [{ operation: 'insert_files', files: Array.from({ length: 21 }, () => file) }, 'files'],
    [{ operation: 'insert_page', layout: { width: 'huge' } }, 'layout.width'],
    [{ operation: 'insert_page', variables: { a: 'x'.repeat(257) } }, 'variables.a'],
    [{ operation: 'set_variables', variables: { a: 'x'.repeat(257) } }, 'variables.a'],
    [{ operation: 'insert_page', icon: 'x'.repeat(51) }, 'icon'],
    [{ operation: 'insert_page', title: null }, 'title'],
    [{ operation: 'insert_page', description: 'x'.repeat(900_000) }, 'description'],
    [{ operation: 'insert_page', tags: ['good', ''] }, 'tags.1'],
    [{ operation: 'insert_page', target: { kind: 'zork' } }, 'target.kind'],
    [{ operation: 'zork' }, 'operation'],
    [{ operation: 'insert_page', document: { markdown: 5 } }, 'document.markdown'],
  ])('%#: names the invalid field', async (change, place) => {
    expect(await detailsFor(change)).toEqual([
      expect.stringMatching(`^body\\.changes\\.1\\.${place.replaceAll('.', '\\.')}: must `),
    ]);
  });

  test('names the beginning of a long title', async () => {
    const answer = await contents.send(space, [insert('x'.repeat(2000))]);
    expectError(answer, 400, new RegExp(`^body\\.changes\\.0\\.title \\("x{100}…"\\): `));
  });

  test.each<[object, number, RegExp]>([
    [
      { document: { document: { object: 'document', data: {}, nodes: [{ object: 'zork' }] } } },
      400,
      /^body\.changes\.1\.document\.document\S* \("Wrong"\): /,
    ],
    [{ into: 'nowhere' }, 400, /^body\.changes\.1\.into \("Wrong"\): /],
    [
      { document: { markdown: 'x'.repeat(2 * 1024 * 1024 + 1) } },
      413,
      /^body\.changes\.1\.document \("Wrong"\): a page must not exceed 2 MB/,
    ],
  ])('%#: contains the title of the page', async (change, status, message) => {
    const wrong = { operation: 'insert_page', title: 'Wrong', ...change };
    expectError(await contents.send(space, [insert('Good'), wrong]), status, message);
  });

  test('names a revision that the space does not have', async () => {
    expect(await detailsFor({ operation: 'revert_page', page, revision: 'nope' })).toEqual([
      'body.changes.1.revision: the space has no revision nope to revert to',
    ]);
  });

  test('rejects Markdown and a document in one body', async () => {
    const document = { object: 'document', nodes: [] };
    expect(await detailsFor({ operation: 'insert_page', document: { markdown: 'x', document } })).toEqual([
      'body.changes.1.document: must have only one of markdown, document',
    ]);
  });
});

const link = (target: object) => ({ operation: 'insert_page', type: 'link', title: 'Link', target });
const cover = (ref: object) => ({ operation: 'insert_page', title: 'Cover', cover: { ref, yPos: 0 } });

describe('the target of a link or a cover', () => {
  test.each<[object, string]>([
    [link({ kind: 'page', page: 'nope' }), 'target.page: There is no page nope'],
    [link({ kind: 'anchor', anchor: 'a', page: 'nope' }), 'target.page: There is no page nope'],
    [link({ kind: 'file', file: 'nope' }), 'target.file: There is no file nope'],
    [
      link({ kind: 'reusable-content', reusableContent: 'nope' }),
      'target.reusableContent: There is no reusable content nope',
    ],
    [cover({ kind: 'file', file: 'nope' }), 'cover.ref.file: There is no file nope'],
    [
      { operation: 'insert_page', cover: { refDark: { kind: 'file', file: 'nope' }, yPos: 0 } },
      'cover.refDark.file: There is no file nope',
    ],
  ])('%#: must exist', async (change, detail) => {
    expect(await detailsFor(change)).toEqual([`body.changes.1.${detail}`]);
  });

  test('may be the ref of an earlier change, and is stored as its id', async () => {
    const made = await contents.edit(
      space,
      insert('To', '', { ref: 'to' }),
      { operation: 'insert_files', files: [{ ...file, ref: 'picture' }] },
      link({ kind: 'anchor', anchor: 'a', page: 'to' }),
      cover({ kind: 'file', file: 'picture' }),
    );
    const [to, , from, covered] = made.changes.map((each: { page?: { id: string } }) => each.page?.id);
    expect(await contents.page(space, from)).toMatchObject({
      target: { kind: 'anchor', anchor: 'a', page: to },
    });
    expect((await contents.page(space, covered)).cover.ref.file).toBe(made.insertedFiles[0].id);
    await contents.edit(space, { operation: 'delete_page', page: to });
    const target = { kind: 'anchor', anchor: 'a', page: to };
    await contents.edit(space, { operation: 'update_page', page: from, title: 'Still', target });
  });

  test('must be a URL with a safe scheme', async () => {
    for (const url of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001 javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '',
    ]) {
      expect(await detailsFor(link({ kind: 'url', url })), url).toEqual([
        expect.stringMatching(/^body\.changes\.1\.target\.url: .*https/),
      ]);
      if (url !== '') expect(await detailsFor(cover({ kind: 'url', url }))).toHaveLength(1);
    }
    for (const url of ['https://x.org', 'http://x.org/a:b', 'mailto:a@x.org', 'tel:+1', '../a.md', '#a']) {
      const { changes } = await contents.edit(space, link({ kind: 'url', url }));
      expect(await contents.page(space, changes[0].page.id)).toMatchObject({ href: url });
    }
  });

  test('is presented as an href only if the scheme is safe, because an import may contain any', () => {
    const shown = (url: string) => {
      const page = {
        id: 'p',
        kind: 'page',
        type: 'link',
        title: 'Link',
        position: 'a0',
        target: { kind: 'url', url },
      } as const;
      return presentPage({ tree: buildTree([page]) } as Shown, page);
    };
    expect(shown('https://x.org')).toMatchObject({ href: 'https://x.org' });
    expect(shown('javascript:alert(1)')).toMatchObject({ href: undefined });
  });
});

const text = (words: string) => ({ object: 'text', leaves: [{ object: 'leaf', text: words, marks: [] }] });
const paragraph = (...nodes: object[]) => ({ object: 'block', type: 'paragraph', nodes });
const linkTo = (ref: object) =>
  paragraph({ object: 'inline', type: 'link', data: { ref }, nodes: [text('x')] });

describe('the error for an invalid document', () => {
  test.each<[object, string]>([
    [linkTo({ kind: 'url', url: null }), 'nodes.0.data.ref.url: must be a string'],
    [linkTo({ kind: 'url' }), 'nodes.0.data.ref: must have url'],
    [linkTo({ kind: 'page' }), 'nodes.0.data.ref: must have page'],
    [linkTo({ kind: 'zork', zork: 'x' }), 'nodes.0.data.ref.kind: must be one of url, page, '],
    [{ object: 'block', type: 'content-ref', data: { ref: { kind: 'url' } } }, 'data.ref: must have url'],
    [
      { object: 'block', type: 'zork', nodes: [paragraph(text('Z'))] },
      'type: must be a known type of block: paragraph, ',
    ],
    [
      paragraph({ object: 'inline', type: 'widget', nodes: [text('W')] }),
      'nodes.0.type: must be a known type of inline: link, ',
    ],
  ])('%#: names the invalid node', async (node, detail) => {
    const document = { object: 'document', nodes: [paragraph(text('Good')), node] };
    for (const change of [
      { operation: 'insert_page', document: { document } },
      { operation: 'insert_reusable_content', document: { document } },
    ]) {
      expect(await detailsFor(change)).toEqual([
        expect.stringContaining(`body.changes.1.document.document.nodes.1.${detail}`),
      ]);
    }
  });
});
