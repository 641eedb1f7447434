import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { insert } from '../content.ts';
import { partOf } from '../exhaustive.ts';
import { aPublishedSite } from '../published-site.ts';
import { axeViolations, layoutShiftOf } from './accessibility.ts';
import { aLiveSite, type LiveSite } from './live-site.ts';
import { visitor } from './visit.ts';

/** Pages of the running program in a browser: every block, and the documents that are not pages of the content. */

let live: LiveSite;
let browser: Browser;

beforeAll(async () => {
  [live, browser] = await Promise.all([aLiveSite(), launchBrowser()]);
}, 300_000);
afterAll(() => browser.close());

const ARABIC = `هذه صفحة **عربية** فيها [رابط](https://example.org/) و\`code\`.

## قائمة

* الأول
* الثاني

1. خطوة

{% hint style="warning" %}
تنبيه مهم.
{% endhint %}

{% tabs %}
{% tab title="أولا" %}
نص
{% endtab %}

{% tab title="ثانيا" %}
نص
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### خطوة أولى

نص.
{% endstep %}
{% endstepper %}

| الاسم | العدد |
| ----- | ----: |
| واحد  |     1 |

> اقتباس

\`\`\`sh
npx octavo serve --port 8080
\`\`\`

$$
a^2 + b^2 = c^2
$$
`;

const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Pictures that are shown and have no pixels. */
const UNLOADED =
  '[...document.images].filter((image) => image.checkVisibility() && image.naturalWidth === 0).map(({ src }) => src)';

const WIDTHS = [390, 834, 1440];
const THEMES = ['light', 'dark'] as const;

/** Scrolls through the whole page, so that lazy pictures and diagrams are loaded. */
async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
      scrollTo(0, y);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  })()`);
  for (const diagram of await page.locator('.diagram').all()) {
    await diagram.scrollIntoViewIfNeeded();
    await diagram.and(page.locator('.drawn')).waitFor();
  }
}

/** Opens a page in one theme or the other, by `place`, and asserts what holds for all of them. */
async function expectSound(address: string, status: number, width: number, place: number): Promise<void> {
  for (const colorScheme of partOf(THEMES, 2, place)) {
    const visit = await visitor(browser, { colorScheme, viewport: { width, height: 900 } });
    const { page } = visit;
    const response = await page.goto(address);
    expect(response?.status()).toBe(status);
    expect(await axeViolations(page)).toEqual([]);
    await scrollThrough(page);
    await expect.poll(() => page.evaluate(UNLOADED), { message: 'pictures that do not load' }).toEqual([]);
    expect(await page.evaluate(OVERFLOW), 'sideways overflow').toBe(0);
    expect(await layoutShiftOf(page), 'layout shift').toBe(0);
    expect([...visit.origins], 'hosts').toEqual([live.origin]);
    expect(visit.problems.filter((problem) => !problem.includes(`status of ${status}`))).toEqual([]);
    await visit.close();
  }
}

describe('a live page', () => {
  test.each(WIDTHS.map((width, n) => [width, n] as const))(
    'with every block is accessible, still and on one host: %i px',
    (width, n) => expectSound(live.addressOf('/write/blocks'), 200, width, n),
  );

  test('shows every block of the flavour', async () => {
    const { text } = await live.site.read('/write/blocks');
    for (const part of [
      'class="hint"',
      'class="tabs"',
      'class="steps"',
      'class="columns"',
      'class="cards"',
      'class="cards large"',
      'class="expandable"',
      'class="diagram wide"',
      'class="table"',
      'data-filter',
      'class="frame"',
      'class="images"',
      'class="missing"',
      'class="file"',
      'class="embed-block"',
      'class="frame-embed"',
      'class="row"',
      '<math',
      'class="api full"',
      'class="updates"',
      'class="mention"',
      'class="note"',
      'class="tasks"',
      '<blockquote',
      'class="code prompt"',
    ])
      // prettier-ignore
      expect(text, part).toContain(part);
    expect(text).not.toContain('class="row broken"');
  });

  test('reads right to left', async () => {
    const { app, side } = live.importing;
    const site = await aPublishedSite(app, side, { title: 'دليل' });
    const { space } = await site.addSpace('دليل');
    await site.change('PATCH', space, { language: 'ar' });
    await site.contents.edit(space, insert('البداية', ARABIC), insert('الثانية', 'نص'));
    const address = `${live.origin}/${site.basename}/`;
    await expectSound(address, 200, 390, 0);
    await expectSound(address, 200, 1440, 1);
    const { page, close } = await visitor(browser);
    await page.goto(address);
    const leftOf = (selector: string) =>
      page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().left`) as Promise<number>;
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await leftOf('.tree')).toBeGreaterThan(await leftOf('article'));
    // Code stays left to right.
    expect(await page.evaluate('getComputedStyle(document.querySelector("pre")).direction')).toBe('ltr');
    await close();
  });
});

describe('other documents', () => {
  test.each([
    ['an unknown address', '/no/such/page', 404, 0],
    ['search results', '/~octavo/search?q=merge', 200, 1],
    ['a search without results', '/~octavo/search?q=ostrich', 200, 0],
    ['the search page', '/~octavo/search', 200, 1],
  ])('%s', (_name, path, status, place) => expectSound(live.addressOf(path), status, 390, place));

  test('a contents page', async () => {
    const address = live.addressOf(`/~octavo/contents/${live.notesSiteSpace}`);
    await expectSound(address, 200, 390, 1);
    await expectSound(`${address}?from=200`, 200, 1440, 0);
  });

  test.each([
    ['share-link', 0],
    ['visitor-auth', 1],
  ])('the page of a closed site: %s', async (visibility, place) => {
    const { app, side } = live.importing;
    const closed = await aPublishedSite(app, side, { title: `Closed ${visibility}`, visibility });
    await expectSound(`${live.origin}/${closed.basename}/`, 403, 390, place);
  });
});
