import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { expectError } from '../../../test/refusal.ts';
import { threadTasks } from '../../../test/thread-tasks.ts';
import { aSide } from '../../../test/world.ts';
import { parseDocument } from '../../content-engine/markdown/index.ts';

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

/** Typical text: a tenth of the maximum number of nodes. */
const prose = (size: number): string =>
  fill(
    `Some words of a *manual* with a [link](./other.md). ${'More of them. '.repeat(20)}\n\n## Part\n\n`,
    size,
  );

describe('a page with too many blocks', () => {
  test.each([
    ['headings', fill('a\n=\n', 2 * MB)],
    ['rows', fill('-|-\n', 2 * MB)],
    ['brackets', fill('[', 2 * MB)],
    ['code', `~~~\n${fill('a\n', MB)}~~~\n`],
  ])('is rejected with a 413 that names it and the limit: %s', async (_name, markdown) => {
    const before = (await contents.get(space)).revision;
    const answer = await contents.send(space, [insert('Good', 'x'), insert('Bad', markdown)]);
    expectError(answer, 413, /^body\.changes\.1\.document \("Bad"\) has more than 100,000 blocks.*Split it/);
    expect((await contents.get(space)).revision).toBe(before);
  });

  test('is rejected as a document, too', async () => {
    const nodes = Array.from({ length: 100_001 }, () => ({ object: 'block' }));
    const document = { object: 'document', data: {}, nodes };
    const answer = await contents.send(space, [
      { operation: 'insert_page', title: 'Bad', document: { document } },
    ]);
    expectError(answer, 413, /^body\.changes\.0\.document\.document \("Bad"\) has more than 100,000 blocks/);
  });

  test('sent sixteen times concurrently is rejected each time', async () => {
    const bad = fill('-|-\n', MB);
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => contents.send(space, [insert('Bad', bad)])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 413));
  });
});

describe('a large page', () => {
  const markdown = prose(0.3 * MB);
  let id: string;

  test('is parsed with the same result as a small one', async () => {
    const other = await contents.edit(space, insert('Other', 'x', { slug: 'other' }));
    [id = ''] = idsOf(await contents.edit(space, insert('Large', markdown)));
    expect((await contents.page(space, id)).markdown).toBe(markdown);
    const { document } = await contents.page(space, id, '?format=document');
    const page = idsOf(other)[0];
    const expected = parseDocument(markdown, { resolve: () => ({ kind: 'page', page: page ?? '' }) });
    expect(document.nodes).toHaveLength(expected.nodes.length);
    expect(document.nodes[0]).toEqual(JSON.parse(JSON.stringify(expected.nodes[0])));
    const alone = await contents.get(`${space}/content/page/${id}/document`);
    expect(alone.nodes).toEqual(document.nodes);
  });

  test('is evaluated, edited as a document and reverted', async () => {
    const evaluated = await contents.page(space, id, '?format=document&evaluated=true');
    expect(evaluated.document.nodes.length).toBeGreaterThan(1000);
    expect((await contents.page(space, id, '?evaluated=true')).markdown).toBe(markdown);
    const { document } = await contents.page(space, id, '?format=document');
    const key = document.nodes[1].key;
    document.nodes.splice(1, 1);
    await contents.edit(space, { operation: 'update_page', page: id, document: { document } });
    const edited = (await contents.page(space, id)).markdown;
    expect(edited.length).toBeLessThan(markdown.length);
    await contents.edit(space, { operation: 'revert_page', page: id, block: [key] });
    expect((await contents.page(space, id)).markdown).toBe(markdown);
  });

  test('keeps its links when their targets move', async () => {
    const pages = await contents.pages(space);
    const other = pages.find(({ title }) => title === 'Other');
    await contents.edit(space, { operation: 'update_page', page: other.id, slug: 'elsewhere' });
    const { document } = await contents.page(space, id, '?format=document');
    expect(JSON.stringify(document.nodes[0])).toContain(`{"kind":"page","page":"${other.id}"}`);
  });
});

describe('a page with few characters and many nodes', () => {
  /** 49,800 characters. */
  const dense = '[^1] '.repeat(9960);
  const added = parseDocument('New.').nodes[0];

  test.each([
    ['short lines', '# a\n'.repeat(4000)],
    ['short links', dense],
  ])('is processed in a thread: %s', async (_name, markdown) => {
    let id = '';
    const tasks = (work: () => Promise<unknown>) => threadTasks(app, work);
    const write = async () => ([id = ''] = idsOf(await contents.edit(space, insert('Dense', markdown))));
    expect(await tasks(write)).toContain('analyseBody');
    const { markdown: before } = await contents.page(space, id);
    const read = await tasks(() => contents.page(space, id, '?format=document'));
    expect(read).toContain('documentJson');
    const { document } = await contents.page(space, id, '?format=document');
    const change = { operation: 'update_page', page: id };
    document.nodes.push(added);
    const edit = await tasks(() => contents.edit(space, { ...change, document: { document } }));
    expect(edit).toEqual(expect.arrayContaining(['editBody', 'analyseBody']));
    const block = document.nodes.length - 1;
    const { nodes } = (await contents.page(space, id, '?format=document')).document;
    const revert = { operation: 'revert_page', page: id, block: [nodes[block].key] };
    expect(await tasks(() => contents.edit(space, revert))).toContain('revertBody');
    expect((await contents.page(space, id)).markdown.trim()).toBe(before.trim());
  });

  test('is read by its document id in a thread after it has changed', async () => {
    const [id = ''] = idsOf(await contents.edit(space, insert('Before', dense)));
    const { documentId } = await contents.page(space, id);
    await contents.edit(space, { operation: 'update_page', page: id, document: { markdown: 'After.' } });
    const read = () => contents.get(`${space}/documents/${documentId}`);
    expect(await threadTasks(app, read)).toContain('documentJson');
  });
});

describe('a large document', { timeout: 120_000 }, () => {
  test.each([
    ['a table', `| a | b | c |\n|-|-|-|\n${'| x | y | z |\n'.repeat(5000)}`],
    ['a table with very many rows', `| a |\n|-|\n${'| x |\n'.repeat(24_000)}`],
    ['almost as many blocks as a page may have', 'x\n\n'.repeat(49_000)],
  ])('can be sent back as it was read: %s', async (_name, markdown) => {
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
