import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument } from '../../src/content-engine/markdown/index.ts';
import { renderHtml } from '../../src/content-engine/render/html/index.ts';
import { renderPage } from '../../src/site/index.ts';
import { launchBrowser } from '../browser.ts';
import { samplePage, sampleSite } from './sample.ts';
import { serveSamples, type SampleServer } from './serve.ts';

/** Formulas look alike on every system, whichever fonts it has. */

const FORMULAS = [
  String.raw`\int_0^1 x\,dx \quad \left( \frac{\frac{a}{b}}{\frac{c}{d}} \right)`,
  String.raw`\begin{aligned} a &= b \\ a + b + c + d &= e \end{aligned}`,
  String.raw`\begin{array}{l|r} a & b \\ \hline c & d \end{array}`,
  String.raw`\boxed{x} + \cancel{y}`,
  String.raw`\mathbf{B} \in \mathfrak{g}`,
];

const htmlOf = (...formulas: string[]): string =>
  renderPage(
    sampleSite(),
    samplePage({
      body: renderHtml(parseDocument(formulas.map((formula) => `$$\n${formula}\n$$\n`).join('\n'))),
    }),
  );

const filesOf = (html: string): string[] =>
  [...html.matchAll(/assets\/(math[\w-]*)\.\w+\.(?:ttf|css)"/g)].map(([, name]) => name ?? '');

let server: SampleServer;
let browser: Browser;
let page: Page;
const requests: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([serveSamples(), launchBrowser()]);
  page = await browser.newPage();
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(server.show('formulas', sampleSite(), htmlOf(...FORMULAS)));
  await page.evaluate('document.fonts.ready');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('are set in a font with the glyphs of formulas, from the site itself', async () => {
  const areLarge = `['∫', '('].every((text) => {
    const operator = [...document.querySelectorAll('.prose mo')].find((each) => each.textContent === text);
    return operator.getBoundingClientRect().height > 2 * parseFloat(getComputedStyle(operator).fontSize);
  })`;
  // A font that is not there when the page is painted is used from the next page on, which a busy machine needs.
  await expect.poll(() => page.reload().then(() => page.evaluate(areLarge))).toBe(true);
  expect(await page.evaluate(`document.fonts.check('16px "Octavo Math"', 'x∫𝐁')`)).toBe(true);
  expect(requests.filter((url) => !url.startsWith(server.origin))).toEqual([]);
});

test('are aligned, and have their lines', async () => {
  const ends = (await page.evaluate(
    `[...document.querySelectorAll('.prose .tml-jot mtr')].map((row) => [row.cells?.[0] ?? row.children[0], row.children[1]].map((cell) => cell.firstElementChild.getBoundingClientRect())).map(([a, b]) => [a.right, b.left])`,
  )) as [number, number][];
  expect(ends).toHaveLength(2);
  const [[shortEnd, relation] = [0, 0], [longEnd] = [0]] = ends;
  expect(Math.abs(shortEnd - longEnd)).toBeLessThan(1);
  expect(relation - longEnd).toBeLessThan(2);
  const widthOf = (selector: string, side: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['border-${side}-width']`);
  expect(await widthOf('.prose .line-bottom', 'bottom')).not.toBe('0px');
  expect(await widthOf('.prose .line-right', 'right')).not.toBe('0px');
  expect(await widthOf('.prose .line-box', 'top')).not.toBe('0px');
  const strike = `(() => { const a = document.querySelector('.prose .upstrike').getBoundingClientRect(), b = document.querySelector('.prose menclose').getBoundingClientRect(); return [a.width > 4, a.width === b.width] })()`;
  expect(await page.evaluate(strike)).toEqual([true, true]);
});

test('load only the files that their characters need, and other pages none', () => {
  expect(filesOf(htmlOf('x + \\int y'))).toEqual(['math', 'math']);
  expect(filesOf(htmlOf('\\mathbf{x}'))).toEqual(['math', 'math', 'math-letters']);
  expect(filesOf(renderPage(sampleSite(), samplePage({ body: { html: '<p>★</p>', outline: [] } })))).toEqual(
    [],
  );
});
