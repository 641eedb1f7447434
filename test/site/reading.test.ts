import { SignJWT } from 'jose';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../app.ts';
import { launchBrowser } from '../browser.ts';
import { insert } from '../content.ts';
import { aPublishedSite, type PublishedSite } from '../published-site.ts';
import { listening } from '../socket.ts';
import { aSide, type Side } from '../world.ts';
import { visitor } from './visit.ts';

/** A running site in a real browser: from the API to the reader. */

let app: TestApp;
let side: Side;
let browser: Browser;
let origin: string;
let site: PublishedSite;

beforeAll(async () => {
  [app, browser] = await Promise.all([startApp(), launchBrowser()]);
  side = await aSide(app, 'alpha');
  origin = `http://127.0.0.1:${(await listening(app)).port}`;
  site = await aSiteWithPages();
}, 300_000);
afterAll(() => browser.close());

async function aSiteWithPages(options: { title?: string; visibility?: string } = {}): Promise<PublishedSite> {
  const made = await aPublishedSite(app, side, options);
  const { space } = await made.addSpace('Manual');
  await made.contents.edit(
    space,
    insert('Welcome', 'Hello reader. Continue with [the installation](install/linux.md).'),
    insert('Install', 'Choose a system.', { ref: 'install' }),
    insert('Linux', 'Use the ostrich package.\n\n```sh\napt install ostrich\n```', { into: 'install' }),
    insert('Merge rules', 'A merge waits until each rule is met.'),
  );
  return made;
}

const addressOf = ({ basename }: PublishedSite, path = '/'): string => `${origin}/${basename}${path}`;

describe('a reader', () => {
  test('follows links, the tree, and the next page; nothing is refused or asked of another host', async () => {
    const { page, problems, origins, close } = await visitor(browser);
    await page.goto(addressOf(site));
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();
    await page.getByRole('link', { name: 'the installation' }).click();
    await page.waitForURL(addressOf(site, '/install/linux'));
    expect(await page.title()).toContain('Linux');
    await page.getByRole('navigation').getByRole('link', { name: 'Merge rules' }).first().click();
    await page.waitForURL(addressOf(site, '/merge-rules'));
    await page.goBack();
    await page.locator('.pager').getByRole('link', { name: 'Merge rules' }).click();
    await page.waitForURL(addressOf(site, '/merge-rules'));
    expect(problems).toEqual([]);
    expect([...origins]).toEqual([origin]);
    await close();
  });

  test('searches by Ctrl+K and opens the result by Enter', async () => {
    const { page, problems, close } = await visitor(browser);
    await page.goto(addressOf(site));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ostrich');
    await page.locator('dialog .results a').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/install\/linux/);
    expect(problems).toEqual([]);
    await close();
  });

  test('switches the theme, which the next page keeps', async () => {
    const { page, problems, close } = await visitor(browser, { colorScheme: 'light' });
    const theme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    await page.goto(addressOf(site));
    expect(await theme()).not.toBe('dark');
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    expect(await theme()).toBe('dark');
    await page.goto(addressOf(site, '/merge-rules'));
    expect(await theme()).toBe('dark');
    expect(problems).toEqual([]);
    await close();
  });

  test('navigates by keyboard alone', async () => {
    const { page, problems, close } = await visitor(browser);
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    const tabTo = async (name: string) => {
      for (let step = 0; step < 60 && (await focused()) !== name; step++) await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    };
    await page.goto(addressOf(site));
    await tabTo('Merge rules');
    await page.keyboard.press('Enter');
    await page.waitForURL(addressOf(site, '/merge-rules'));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#~content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    expect(problems).toEqual([]);
    await close();
  });

  test('opens the menu of a phone and follows a link', async () => {
    const { page, problems, close } = await visitor(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.goto(addressOf(site));
    const entry = page.locator('.drawer').getByRole('link', { name: 'Merge rules' });
    expect(await entry.isVisible()).toBe(false);
    await page.locator('.drawer > summary').tap();
    await entry.waitFor({ state: 'visible' });
    await entry.tap();
    await page.waitForURL(addressOf(site, '/merge-rules'));
    expect(problems).toEqual([]);
    await close();
  });

  test('rates a page, and the API counts it', async () => {
    const { page, problems, close } = await visitor(browser);
    await page.goto(addressOf(site, '/merge-rules'));
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByLabel('What could be better?').fill('More examples');
    await page.getByRole('button', { name: 'Send' }).click();
    const comments = async () => JSON.stringify(await site.contents.get(`${site.site}/insights/feedback`));
    await expect.poll(comments).toContain('More examples');
    expect(problems).toEqual([]);
    await close();
  });

  test('reads, searches and rates without JavaScript', async () => {
    const { page, problems, close } = await visitor(browser, { javaScriptEnabled: false });
    await page.goto(addressOf(site));
    await page.getByRole('link', { name: 'the installation' }).click();
    await page.waitForURL(addressOf(site, '/install/linux'));
    await page.getByText('apt install ostrich').waitFor();
    await page.locator('a.search').first().click();
    await page.locator('main input[name=q]').fill('waits');
    await page.locator('main form button').first().click();
    await page
      .getByRole('link', { name: /^Merge rules/ })
      .first()
      .click();
    await page.waitForURL(/\/merge-rules/);
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.waitForURL(/\/~octavo\/feedback/);
    await page.locator('main a[href$="/merge-rules"]').click();
    await page.waitForURL(addressOf(site, '/merge-rules'));
    expect(problems).toEqual([]);
    await close();
  });

  test('gets a helpful page where nothing is', async () => {
    const { page, problems, close } = await visitor(browser);
    expect((await page.goto(addressOf(site, '/no/such/page')))?.status()).toBe(404);
    await page.locator('.drawer').getByRole('link', { name: 'Merge rules' }).click();
    await page.waitForURL(addressOf(site, '/merge-rules'));
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
    await close();
  });
});

describe('a private site', () => {
  test('opens by a share link until it is deactivated', async () => {
    const closed = await aSiteWithPages({ title: 'Shared', visibility: 'share-link' });
    const { id, urls } = await closed.change('POST', `${closed.site}/share-links`, { name: 'Friends' });
    const { page, problems, close } = await visitor(browser);
    expect((await page.goto(addressOf(closed)))?.status()).toBe(403);
    expect(await page.content()).not.toMatch(/Hello reader|Merge rules/);
    await page.goto(origin + new URL(urls.published).pathname);
    expect(page.url()).toBe(addressOf(closed));
    await page.getByText('Hello reader').waitFor();
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.getByRole('link', { name: 'the installation' }).click();
    await page.waitForURL(addressOf(closed, '/install/linux'));

    await closed.change('PATCH', `${closed.site}/share-links/${id}`, { active: false });
    expect((await page.reload())?.status()).toBe(403);
    expect(await page.content()).not.toContain('ostrich');
    expect((await page.goto(origin + new URL(urls.published).pathname))?.status()).toBe(403);
    await closed.change('PATCH', `${closed.site}/share-links/${id}`, { active: true });
    expect((await page.goto(addressOf(closed)))?.status()).toBe(200);
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([]);
    await close();
  });

  test('opens by a token of its visitor sign-in, which leaves the address', async () => {
    const closed = await aSiteWithPages({ title: 'Customers', visibility: 'visitor-auth' });
    const { privateKey } = await closed.change('GET', `${closed.site}/publishing/auth`);
    const token = (expires: string) =>
      new SignJWT({ plan: 'pro' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime(expires)
        .sign(new TextEncoder().encode(privateKey));
    const { page, problems, context, close } = await visitor(browser);
    const status = async (query: string) =>
      (await page.goto(addressOf(closed, `/merge-rules${query}`)))?.status();
    expect(await status('')).toBe(403);
    expect(await status(`?jwt_token=${await token('-1m')}`)).toBe(403);
    expect(await status(`?jwt_token=${await token('1h')}`)).toBe(200);
    expect(page.url()).toBe(addressOf(closed, '/merge-rules'));
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.locator('.pager').getByRole('link', { name: 'Linux' }).click();
    await page.getByText('apt install ostrich').waitFor();
    await context.clearCookies();
    expect((await page.reload())?.status()).toBe(403);
    expect(problems.filter((problem) => !problem.includes('403'))).toEqual([]);
    await close();
  });
});
