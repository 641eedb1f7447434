import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';

let contents: Contents;
let space: string;

beforeAll(async () => {
  const app = await startApp();
  contents = contentsOf(app, await aSide(app, 'alpha'));
  space = await contents.aSpace();
});

/** Sends the page back as a document, as an update and as a new page; returns the Markdown of both. */
async function roundTrip(markdown: string): Promise<string[]> {
  const [id = ''] = idsOf(await contents.edit(space, insert('Page', markdown)));
  const { document } = await contents.page(space, id, '?format=document');
  const text = JSON.stringify(document).replaceAll('Line', 'Word');
  const edited = { document: JSON.parse(text) };
  const made = await contents.edit(
    space,
    { operation: 'update_page', page: id, document: edited },
    { operation: 'insert_page', title: 'Copy', document: edited },
  );
  return Promise.all(idsOf(made).map(async (each) => (await contents.page(space, each)).markdown));
}

describe('an href without a target in the space', () => {
  test.each(['https://a.example/x.pdf', '../.gitbook/assets/x.pdf', '/files/q', '/pages/q', './name'])(
    'is not changed when its block is written: %s',
    async (href) => {
      const file = `{% file src="${href}" %}\nLine\n{% endfile %}\n`;
      const cards = `<table><thead><tr><th data-type="files">Line</th></tr></thead><tbody><tr><td><a href="${href}">x</a></td></tr></tbody></table>\n`;
      const drawing = `<img src="${href}" alt="" class="gitbook-drawing">\n`;
      const include = `{% include "${href}" %}\n`;
      for (const markdown of await roundTrip(`${file}\n${cards}\n${drawing}\n${include}`)) {
        expect(markdown).toContain(`{% file src="${href}" %}\nWord\n`);
        expect(markdown).toContain(`<a href="${href}">`);
        expect(markdown).toContain(`<img src="${href}" `);
        expect(markdown).toContain(`{% include "${href}" %}`);
      }
    },
  );

  test('whose target was deleted still has the id of the target', async () => {
    const made = await contents.edit(
      space,
      { operation: 'insert_reusable_content', title: 'Note', document: { markdown: 'Text' } },
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'YQ==' }] },
    );
    const note = made.changes[0].reusableContent.id;
    const file = made.insertedFiles[0].id;
    const markdown = `{% include "/reusable-content/${note}" %}\n\n{% file src="/files/${file}" %}\n`;
    const [id = ''] = idsOf(await contents.edit(space, insert('Page', markdown)));
    const refs = async () => {
      const { document } = await contents.page(space, id, '?format=document');
      return document.nodes.map((node: { data: { ref: object } }) => node.data.ref);
    };
    const before = await refs();
    expect(before).toEqual([
      { kind: 'reusable-content', reusableContent: note },
      { kind: 'file', file },
    ]);
    await contents.edit(
      space,
      { operation: 'delete_reusable_content', reusableContent: note },
      { operation: 'delete_file', file },
    );
    expect(await refs()).toEqual(before);
    expect(await roundTrip(`Line\n\n${markdown}`)).toEqual([`Word\n\n${markdown}`, `Word\n\n${markdown}`]);
  });
});
