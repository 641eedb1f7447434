import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  renderAccessPage,
  renderContents,
  renderNotFound,
  renderPage,
  type Customization,
  type SiteView,
} from '../../src/site/index.ts';
import { launchBrowser } from '../browser.ts';
import { partOf } from '../exhaustive.ts';
import { axeViolations } from './accessibility.ts';
import { DEFAULT_DESIGN, samplePage, sampleSite, sampleTree } from './sample.ts';
import { serveSamples, type SampleServer } from './serve.ts';

/** The page with every block in a real browser, with its Content-Security-Policy. */

let server: SampleServer;
let browser: Browser;
let address: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([serveSamples(), launchBrowser()]);
  const site = sampleSite();
  address = server.show('page', site, renderPage(site, samplePage()));
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Visit {
  readonly page: Page;
  readonly problems: string[];
  /** Hosts that were asked for anything. */
  readonly hosts: Set<string>;
  readonly close: () => Promise<void>;
}

/** Opens a page and records what a policy, a script or the network refused. */
async function open(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
  });
  await page.goto(url);
  return { page, problems, hosts, close: () => context.close() };
}

/** Parts open with a short transition. */
const shown = (part: Locator) => part.first().waitFor({ state: 'visible' });
const hidden = (part: Locator) => part.first().waitFor({ state: 'hidden' });

const styled = (styling: Partial<Customization['styling']>, more: Partial<Customization> = {}): SiteView =>
  sampleSite({ styling: { ...DEFAULT_DESIGN.styling, ...styling }, ...more });

const SCHEMES = ['light', 'dark'] as const;

describe('every block', () => {
  for (const [n, width] of [390, 900, 1440].entries())
    for (const colorScheme of partOf(SCHEMES, 2, n))
      test(`no axe violation: ${colorScheme}, ${width} px`, async () => {
        const visit = await open(address, { colorScheme, viewport: { width, height: 900 } });
        expect(await axeViolations(visit.page)).toEqual([]);
        expect(visit.problems).toEqual([]);
        expect([...visit.hosts]).toEqual([server.origin]);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await visit.page.evaluate(overflow)).toBe(0);
        await visit.close();
      });

  test('no axe violation with colours that are hard to read, in every preset', async () => {
    const yellow = { light: '#ffd400', dark: '#ffd400' };
    const sites = {
      bold: styled({ theme: 'bold', primaryColor: yellow, corners: 'circular' }),
      gradient: styled({
        theme: 'gradient',
        links: 'accent',
        primaryColor: { light: '#88ff88', dark: '#113311' },
      }),
      muted: styled({ theme: 'muted', tint: { color: yellow } }, { header: { preset: 'none' } }),
      contrast: styled({ font: 'Poppins' }, { header: { preset: 'contrast' } }),
      custom: styled(
        {},
        {
          header: {
            preset: 'custom',
            backgroundColor: { light: '#222233', dark: '#fafafa' },
            linkColor: { light: '#333344', dark: '#eeeeee' },
          },
        },
      ),
    };
    for (const [n, [name, site]] of Object.entries(sites).entries())
      for (const colorScheme of partOf(SCHEMES, 2, n)) {
        const visit = await open(server.show(name, site, renderPage(site, samplePage())), { colorScheme });
        expect(await axeViolations(visit.page), `${name}, ${colorScheme}`).toEqual([]);
        expect(visit.problems).toEqual([]);
        await visit.close();
      }
  });

  test('nothing moves while it loads', async () => {
    const visit = await open(address);
    const shift = await visit.page.evaluate(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
        .observe({ type: 'layout-shift', buffered: true });
      document.querySelector('.diagram').scrollIntoView();
      const wait = () => document.querySelector('.diagram.drawn') ? setTimeout(() => resolve(sum), 300) : setTimeout(wait, 50);
      wait();
    })`);
    expect(shift).toBe(0);
    await visit.close();
  });

  test('right to left', async () => {
    const site = sampleSite({}, { language: 'ar' });
    const visit = await open(server.show('rtl', site, renderPage(site, samplePage())));
    const sideOf = (selector: string) =>
      visit.page.evaluate(
        `document.querySelector('${selector}').getBoundingClientRect().left`,
      ) as Promise<number>;
    expect(await visit.page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await sideOf('.tree')).toBeGreaterThan(await sideOf('article'));
    expect(await sideOf('article')).toBeGreaterThan(await sideOf('.outline'));
    const digitsFirst = `(() => {
      const title = document.querySelector('.variant > span:last-of-type').firstChild;
      const leftOf = (start) => { const range = new Range(); range.setStart(title, start); range.setEnd(title, start + 1); return range.getBoundingClientRect().left; };
      return [title.data, leftOf(0) < leftOf(2)];
    })()`;
    expect(await visit.page.evaluate(digitsFirst)).toEqual(['2.x', true]);
    expect(await axeViolations(visit.page)).toEqual([]);
    await visit.close();
  });

  test('a name in a table is not broken: the table scrolls', async () => {
    const site = sampleSite();
    const names = ['OCTAVO_DATABASE_POOL', 'http://localhost:PORT', 'getSiteSectionById'];
    const cells = names.map((name) => `<td><code>${name}</code></td>`).join('');
    const html = `<div class="table" tabindex="0"><table><tbody><tr>${cells}</tr></tbody></table></div>`;
    const url = server.show('names', site, renderPage(site, samplePage({ body: { html, outline: [] } })));
    const visit = await open(url, { viewport: { width: 390, height: 844 } });
    const lines = `[...document.querySelectorAll('td code')].map((code) => Math.floor(code.getBoundingClientRect().height / parseFloat(getComputedStyle(code).fontSize) / 1.9))`;
    expect(await visit.page.evaluate(lines)).toEqual([0, 0, 0]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await visit.page.evaluate(overflow)).toBe(0);
    await visit.close();
  });

  test('in print, everything is shown and the chrome is not', async () => {
    const visit = await open(address);
    await visit.page.emulateMedia({ media: 'print' });
    for (const part of ['.header', '.bars', '.pager', '.footer', '.copy'])
      expect(await visit.page.locator(part).first().isVisible(), part).toBe(false);
    await visit.page.getByText('Everything is shown.').waitFor({ state: 'visible' });
    await visit.page.locator('.line.rest').first().waitFor({ state: 'visible' });
    // Long lines of code wrap, and the address of a button is not written on it.
    expect(
      await visit.page.evaluate(
        '[...document.querySelectorAll("pre")].filter((pre) => pre.scrollWidth > pre.clientWidth).length',
      ),
    ).toBe(0);
    expect(
      await visit.page.evaluate(
        'getComputedStyle(document.querySelector(".prose .button"), "::after").content',
      ),
    ).toBe('none');
    await visit.close();
  });
});

describe('other documents', () => {
  const site = sampleSite();
  const documents = {
    'not-found': renderNotFound(site, sampleTree),
    'share-link': renderAccessPage(site, { reason: 'share-link' }),
    'sign-in': renderAccessPage(site, { reason: 'sign-in', signInHref: 'https://id.example.org/' }),
    contents: renderContents(site, {
      title: 'Reference',
      breadcrumbs: [{ title: 'Guides', href: '/docs/' }],
      entries: Array.from({ length: 200 }, (_, index) => ({ title: `Page ${index}`, href: '/docs/page' })),
      next: { title: 'Pages from 200', href: '/docs/~octavo/contents?from=200' },
    }),
  };
  for (const [n, [name, html]] of Object.entries(documents).entries())
    test(`no axe violation: ${name}`, async () => {
      const url = server.show(name, site, html);
      for (const colorScheme of partOf(SCHEMES, 2, n)) {
        const visit = await open(url, { colorScheme, viewport: { width: 390, height: 844 } });
        expect(await axeViolations(visit.page)).toEqual([]);
        expect(visit.problems).toEqual([]);
        await visit.close();
      }
    });
});

describe('without JavaScript', () => {
  test('tree, tabs, expandables, notes and the search form work', async () => {
    const visit = await open(address, { javaScriptEnabled: false });
    const { page } = visit;
    await expect.poll(() => page.locator('[data-theme-toggle]').isVisible()).toBe(false);
    expect(await page.locator('.header kbd').isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Container' }).click();
    await shown(page.getByText('docker run'));
    await page.locator('summary', { hasText: 'And when the page is printed?' }).click();
    await shown(page.getByText('Everything is shown.'));
    await page.getByLabel('Pages under Files and images').click();
    await shown(page.getByText('Sizes and formats'));
    await page.getByRole('button', { name: 'annotation' }).click();
    await shown(page.getByText('Shown when a reader asks for it.'));
    await page.getByRole('link', { name: 'Search the documentation' }).click();
    await page.locator('main input[name=q]').fill('merge rules');
    await page.locator('main form button').click();
    expect(new URL(page.url()).searchParams.get('q')).toBe('merge rules');
    expect(await page.getByRole('link', { name: /^Merge rules/ }).isVisible()).toBe(true);
    await visit.close();
  });

  test('the rating is a form', async () => {
    const visit = await open(address, { javaScriptEnabled: false });
    await visit.page.getByRole('button', { name: 'Yes' }).click();
    expect(server.feedback.at(-1)).toBe('page=blocks&rating=good&comment=');
    await visit.close();
  });

  test('the phone menu opens and closes', async () => {
    const visit = await open(address, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    const entry = visit.page.getByRole('link', { name: 'How content is organized' });
    expect(await entry.isVisible()).toBe(false);
    await visit.page.locator('.drawer > summary').click();
    await shown(entry);
    await shown(visit.page.locator('.narrow-only').getByText('Forum'));
    await visit.page.locator('.drawer > summary').click();
    await hidden(entry);
    await visit.close();
  });
});

describe('with JavaScript', () => {
  test('the theme is switched, kept, and applied before the first paint', async () => {
    const visit = await open(address, { colorScheme: 'light' });
    const { page } = visit;
    const theme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    expect(await theme()).toBe('light dark');
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
    const fixed = sampleSite({ themes: { default: 'light', toggeable: false } });
    await page.goto(server.show('fixed', fixed, renderPage(fixed, samplePage())));
    expect(await theme()).toBe('light');
    expect(await page.locator('[data-theme-toggle]').count()).toBe(0);
    expect(visit.problems).toEqual([]);
    await visit.close();
  });

  test('search by keyboard: open, type, choose, follow', async () => {
    const visit = await open(address);
    const { page } = visit;
    await page.keyboard.press('Control+k');
    await page.keyboard.type('merge rules');
    await page.locator('dialog .results a').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(
      '/docs/merge-rules#required',
    );
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await page.keyboard.press('Escape');
    await hidden(page.locator('dialog'));
    await page.keyboard.press('/');
    await shown(page.locator('dialog .results'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/merge-rules');
    await visit.close();
  });

  test('code and the page are copied', async () => {
    const visit = await open(address, { permissions: ['clipboard-read', 'clipboard-write'] });
    await visit.page.getByRole('button', { name: 'Copy docs.yaml' }).click();
    await expect
      .poll(() => visit.page.evaluate('navigator.clipboard.readText()'))
      .toContain('structure:\n  - type: section\n');
    await expect.poll(() => visit.page.locator('body > [role=status]').textContent()).toBe('Copied');
    await visit.close();
  });

  test('a rating is sent without leaving the page, then words', async () => {
    const visit = await open(address);
    await visit.page.getByRole('button', { name: 'No', exact: true }).click();
    await visit.page.getByLabel('What could be better?').fill('More pictures');
    await visit.page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => server.feedback.at(-1)).toBe('page=blocks&comment=More+pictures&rating=bad');
    expect(await visit.page.locator('.thanks').isVisible()).toBe(true);
    expect(visit.page.url()).toBe(address);
    await visit.close();
  });

  test('the phone menu closes by Escape and returns the focus', async () => {
    const visit = await open(address, { viewport: { width: 390, height: 844 } });
    const { page } = visit;
    await page.locator('.drawer > summary').click();
    await shown(page.locator('.tree'));
    expect(await axeViolations(page)).toEqual([]);
    const below = 'document.querySelector(".tree").getBoundingClientRect().bottom - innerHeight';
    await expect.poll(() => page.evaluate(below)).toBeLessThanOrEqual(1);
    await page.keyboard.press('Escape');
    await hidden(page.locator('.tree'));
    expect(await page.evaluate('document.activeElement.parentElement.className')).toBe('drawer');
    await visit.close();
  });

  test('every control is reached by Tab and shows the focus', async () => {
    const visit = await open(address);
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#~content');
    const seen = new Set<string>();
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press('Tab');
      const focus = (await page.evaluate(`(() => {
        const element = document.activeElement, style = getComputedStyle(element);
        const card = element.closest('.card');
        return { name: element.outerHTML.slice(0, 80), isShown: style.outlineStyle !== 'none' || style.boxShadow !== 'none' || Boolean(card) };
      })()`)) as { name: string; isShown: boolean };
      expect(focus.isShown, focus.name).toBe(true);
      seen.add(focus.name);
    }
    expect(seen.size).toBeGreaterThan(20);
    await visit.close();
  });

  test('a table is filtered', async () => {
    const visit = await open(address);
    await visit.page.getByRole('searchbox', { name: 'Data and media (2)' }).fill('postgres');
    expect(await visit.page.getByRole('cell', { name: 'HTTP' }).isVisible()).toBe(false);
    expect(await visit.page.getByRole('cell', { name: 'PostgreSQL' }).isVisible()).toBe(true);
    await visit.close();
  });

  test('a diagram is drawn in a frame without an origin', async () => {
    const visit = await open(address);
    await visit.page.locator('.diagram').scrollIntoViewIfNeeded();
    await visit.page.locator('.diagram.drawn').waitFor();
    const frame = visit.page.frames().find((one) => one.url().endsWith('/~octavo/diagram'));
    expect(await frame?.locator('svg').textContent()).toContain('Published');
    expect(await frame?.evaluate('self.origin')).toBe('null');
    expect(visit.problems).toEqual([]);
    await visit.close();
  });
});
