import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { insert } from '../../../test/content.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { expectError } from '../../../test/refusal.ts';
import { threadTasks } from '../../../test/thread-tasks.ts';
import { aSide } from '../../../test/world.ts';

/** A large page is rendered in a thread, which has neither the tree nor the settings of the site. */

let app: TestApp;
let site: PublishedSite;
let space: string;

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const blocksWith = (
  file: string,
  content: string,
): string => `First **words** and [the target](target.md), [its part](target.md#part), [nothing](gone.md).

## Heading

{% content-ref url="target.md" %}
[target.md](target.md)
{% endcontent-ref %}

![picture](/files/${file})

{% include "/reusable-content/${content}" %}

{% hint style="info" icon="rocket" %}
<i class="fa-leaf">:leaf:</i> and <i class="fa-no-such-icon">:no-such-icon:</i> with \`code\`.
{% endhint %}

<a href="https://ask" data-action="ask" data-query="why?" class="button">Ask</a>

$$
\\alpha + \\mathbb{R}
$$

\`\`\`mermaid
graph TD; A-->B
\`\`\`

{% updates format="full" %}
{% update date="2026-01-02" tags="news" %}
## New
{% endupdate %}
{% endupdates %}

{% embed url="https://www.youtube.com/watch?v=abc" %}

Last.
`;
const FILLER = 'Filler words. '.repeat(5000);

beforeAll(async () => {
  app = await startApp();
  site = await aPublishedSite(app, await aSide(app, 'alpha'));
  ({ space } = await site.addSpace('Manual'));
  const { insertedFiles, changes } = await site.contents.edit(
    space,
    { operation: 'insert_files', files: [{ name: 'pixel.png', base64: PIXEL }] },
    insert('Target', '## Part\n\nText.', { description: 'Where links lead.' }),
  );
  const [shared] = await addContents(`Shared with [the target](/pages/${changes[1].page.id}).`);
  const blocks = blocksWith(insertedFiles[0].id, shared ?? '');
  await site.contents.edit(space, insert('Small', blocks), insert('Large', `${blocks}\n${FILLER}`));
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

const between = (html: string, start: string, end: string): string =>
  html.slice(html.indexOf(start), html.indexOf(end, html.indexOf(start)));

const proseOf = (html: string): string => between(html, '<div class="prose">', '<p>Last.');

/** Without what differs: title, address and id of the page. */
const comparable = (html: string): string =>
  html
    .replaceAll('/large', '/small')
    .replaceAll('Large', 'Small')
    .replaceAll(/(~octavo\/(?:file|pdf)\/\w+\/)\w+/g, '$1page');

describe('a large page', () => {
  test('has the HTML of a small one with the same blocks', async () => {
    const [small, large] = [await site.read('/small'), await site.read('/large')];
    expect([small.status, large.status]).toEqual([200, 200]);
    expect(proseOf(large.text)).toContain('Where links lead.');
    expect(proseOf(large.text)).toContain('Shared with <a href="/guides/">the target</a>');
    expect(comparable(proseOf(large.text))).toBe(comparable(proseOf(small.text)));
    for (const [start, end] of [
      ['<html', '<head>'],
      ['<head>', '<meta property="og:url"'],
      ['<svg class="sprite"', '</svg>'],
      ['<details class="outline">', '</details>'],
    ] as const)
      expect(comparable(between(large.text, start, end))).toBe(comparable(between(small.text, start, end)));
    expect(large.headers['content-security-policy']).toBe(small.headers['content-security-policy']);
  });

  test('has the Markdown of a small one with the same blocks', async () => {
    const [small, large] = [await site.read('/small.md'), await site.read('/large.md')];
    expect(small.text).toContain('Shared with');
    const text = comparable(large.text).replace(FILLER.trimEnd(), '');
    expect(text.trimEnd()).toBe(comparable(small.text).trimEnd());
  });
});

test('a page with few characters and many links is rendered in a thread', async () => {
  const [id] = await addContents('Included.');
  const include = `{% include "/reusable-content/${id}" %}\n\n`;
  const dense = include + '[^1] '.repeat(9950);
  await site.contents.edit(space, insert('Dense', dense), insert('Sparse', include));
  const read = (path: string) =>
    threadTasks(app, async () => expect((await site.read(path)).status).toBe(200));
  expect(await read('/dense')).toContain('renderSource');
  expect(await read('/dense.md')).toContain('writeSource');
  expect([...(await read('/sparse')), ...(await read('/sparse.md'))]).toEqual([]);
});

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
