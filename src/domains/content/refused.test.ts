import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { detailsOf, expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

let contents: Contents;
let space: string;
let page: string;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
  space = await contents.aSpace();
  [page = ''] = idsOf(await contents.edit(space, insert('Page')));
});

/** What is said of the second change of a batch. */
async function saidOf(change: object): Promise<string[]> {
  const before = (await contents.get(space)).revision;
  const answer = await contents.send(space, [insert('Good'), change]);
  expectError(answer, 400, /^body\.changes\.1/);
  expect((await contents.get(space)).revision).toBe(before);
  return detailsOf(answer);
}

const file = { name: 'a.txt', base64: '' };

describe('a change that is refused says where and why', () => {
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
  ])('%#: in the field that is wrong', async (change, place) => {
    expect(await saidOf(change)).toEqual([
      expect.stringMatching(`^body\\.changes\\.1\\.${place.replaceAll('.', '\\.')}: must `),
    ]);
  });

  test('a revision that the space never had', async () => {
    expect(await saidOf({ operation: 'revert_page', page, revision: 'nope' })).toEqual([
      'body.changes.1.revision: the space has no revision nope to revert to',
    ]);
  });

  test('a body that is Markdown and a document at once', async () => {
    const document = { object: 'document', nodes: [] };
    expect(await saidOf({ operation: 'insert_page', document: { markdown: 'x', document } })).toEqual([
      'body.changes.1.document: must have only one of markdown, document',
    ]);
  });
});
