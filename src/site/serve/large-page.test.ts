import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { aSide } from '../../../test/world.ts';

let app: TestApp;
let site: PublishedSite;
let space: string;

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  ({ space } = await site.addSpace('Manual'));
});

/** The ids of new contents. */
async function addContents(...texts: readonly string[]): Promise<string[]> {
  const { changes } = await site.contents.edit(
    space,
    ...texts.map((markdown) => ({
      operation: 'insert_reusable_content',
      title: 'Content',
      document: { markdown },
    })),
  );
  return changes.map((each: { reusableContent: { id: string } }) => each.reusableContent.id);
}

describe('a page that repeats long texts', () => {
  test('shows the beginning of descriptions', async () => {
    const described = insert('Described', 'x', { description: '"'.repeat(4000) });
    const refs = '{% content-ref url="described.md" %}\n[a](described.md)\n{% endcontent-ref %}\n\n';
    await site.contents.edit(space, described, insert('Rows', refs.repeat(300)));
    const { status, text } = await site.read('/rows');
    expect([status, text.split('class="row"').length]).toEqual([200, 301]);
    expect(text).toContain(`<small>${'&quot;'.repeat(500)}…</small>`);
  });

  test('is refused as HTML where it would be too long', async () => {
    const titled = `{% code title="${'&'.repeat(100_000)}" %}\n\`\`\`\na\n\`\`\`\n{% endcode %}\n\n`;
    await site.contents.edit(space, insert('Too long', titled.repeat(18)));
    const { status, text } = await site.read('/too-long');
    expect([status, text]).toEqual([413, expect.stringContaining('This page is too large to be shown')]);
    expectError(await site.read('/too-long', { accept: 'application/json' }), 413, /more than 16 MB as HTML/);
  });

  test('includes one content, whatever its size', async () => {
    const [id] = await addContents(`Wrapped ${`${'word '.repeat(18)}\n`.repeat(20_500)}`);
    await site.contents.edit(space, insert('Wrapped', `{% include "/reusable-content/${id}" %}`));
    const { status, text } = await site.read('/wrapped');
    expect([status, text.includes('Wrapped word')]).toEqual([200, true]);
  });

  test('includes contents up to a limit', async () => {
    const texts = [0, 1, 2, 3].map((n) => `Content ${n}. ${'word '.repeat(140_000)}`);
    const includes = (await addContents(...texts)).map((id) => `{% include "/reusable-content/${id}" %}\n\n`);
    await site.contents.edit(space, insert('Includes', includes.join('')));
    for (const path of ['/includes', '/includes.md']) {
      const { status, text } = await site.read(path);
      expect([status, text.match(/Content \d\. word/g)]).toEqual([
        200,
        ['Content 0. word', 'Content 1. word'],
      ]);
    }
  });
});
