import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { partOf } from '../../../test/exhaustive.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let contents: Contents;
let space: string;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
  space = await contents.aSpace();
});

const MB = 1024 * 1024;
const fill = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size);

describe('a large batch', { timeout: 120_000 }, () => {
  const SIZE = 1_900_000;

  const texts = [
    ['words', 'word '.repeat(SIZE / 5)],
    ['quotes', '"'.repeat(SIZE)],
    ['backslashes', `~~~\n${'\\'.repeat(SIZE)}\n~~~\n`],
    ['control characters', '\u0001'.repeat(SIZE)],
    ['Chinese', '語'.repeat(SIZE / 3)],
    ['a heading', `## ${'word '.repeat(SIZE / 5)}`],
    ['an anchor', `## a <a href="#a" id="${'a'.repeat(SIZE / 2)}"></a>\n\n${'word '.repeat(SIZE / 10)}`],
  ] as const;

  test.each(partOf(texts, 3, 0))('of one page is stored as it was sent: %s', async (_name, markdown) => {
    const [id = ''] = idsOf(await contents.edit(space, insert('Large', markdown)));
    expect((await contents.page(space, id)).markdown === markdown).toBe(true);
  });

  test('of many pages inserts all of them', async () => {
    const paragraphs = 'a\n\n'.repeat(13_000);
    const changes = Array.from({ length: 25 }, (_each, index) => insert(`Page ${index}`, paragraphs));
    expect(idsOf(await contents.edit(space, ...changes))).toHaveLength(25);
  });
});

describe('a page with too many blocks', () => {
  const texts = [
    ['headings', fill('a\n=\n', 2 * MB)],
    ['rows', fill('-|-\n', 2 * MB)],
    ['brackets', fill('[', 2 * MB)],
    ['code', `~~~\n${fill('a\n', MB)}~~~\n`],
  ] as const;

  test.each(partOf(texts, 2, 0))(
    'is rejected with a 413 that names it and the limit: %s',
    async (_name, markdown) => {
      const before = (await contents.get(space)).revision;
      const answer = await contents.send(space, [insert('Good', 'x'), insert('Bad', markdown)]);
      expectError(
        answer,
        413,
        /^body\.changes\.1\.document \("Bad"\) has more than 100,000 blocks.*Split it/,
      );
      expect((await contents.get(space)).revision).toBe(before);
    },
  );

  test('is rejected as a document, too', async () => {
    const nodes = Array.from({ length: 100_001 }, () => ({ object: 'block' }));
    const document = { object: 'document', data: {}, nodes };
    const answer = await contents.send(space, [
      { operation: 'insert_page', title: 'Bad', document: { document } },
    ]);
    expectError(answer, 413, /^body\.changes\.0\.document\.document \("Bad"\) has more than 100,000 blocks/);
  });
});

describe('a large document', { timeout: 120_000 }, () => {
  const texts = [
    ['a table', `| a | b | c |\n|-|-|-|\n${'| x | y | z |\n'.repeat(5000)}`],
    ['a table with very many rows', `| a |\n|-|\n${'| x |\n'.repeat(24_000)}`],
    ['almost as many blocks as a page may have', 'x\n\n'.repeat(49_000)],
  ] as const;

  test.each(partOf(texts, 2, 0))('can be sent back as it was read: %s', async (_name, markdown) => {
    const [id = ''] = idsOf(await contents.edit(space, insert('Read', markdown)));
    const { document } = await contents.page(space, id, '?format=document');
    await contents.edit(space, { operation: 'update_page', page: id, document: { document } });
    expect((await contents.page(space, id)).markdown).toBe(markdown);
  });

  test('is rejected with a hint when a batch has too many of them', async () => {
    const changes = Array.from({ length: 2_000_001 }, () => 0);
    expectError(
      await contents.call('POST', `${space}/content`, { changes }),
      413,
      /Send fewer changes.*Markdown/,
    );
  });
});

describe('link references', () => {
  test('do not multiply the size of the response', async () => {
    const markdown = `[a]: http://${'x'.repeat(20_000)}\n\n${fill('[a] ', 80_000)}`;
    const [id = ''] = idsOf(await contents.edit(space, insert('References', markdown)));
    const answer = await contents.call('GET', `${space}/content/page/${id}?format=document`);
    expect(answer.status).toBe(200);
    expect(answer.text.length).toBeLessThan(5 * markdown.length);
    expect((await contents.page(space, id)).markdown).toBe(markdown);
  });
});

test('a page whose expressions produce too much text is named in the error', async () => {
  const long = Array.from({ length: 15 }, () => 'space.vars.long').join('+');
  const markdown = fill(`<code class="expression">${long}</code>\n\n`, 300_000);
  const [, id = ''] = (
    await contents.edit(
      space,
      { operation: 'set_variables', variables: { long: 'x'.repeat(256) } },
      insert('Expressive', markdown),
    )
  ).changes.map((each: { page?: { id: string } }) => each.page?.id);
  const answer = await contents.call('GET', `${space}/content/page/${id}?evaluated=true&format=document`);
  expectError(answer, 413, /^Page "Expressive" has expressions that produce more than/);
});
