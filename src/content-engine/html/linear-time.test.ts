import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertPage } from './index.ts';

/** Counts how often the functions and loops of the converter run, instead of measuring seconds. */
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

async function stepsOf(html: string): Promise<number> {
  const bytes = Buffer.from(`<h1>T</h1>${html}`);
  await session.post('Profiler.takePreciseCoverage');
  convertPage({ kind: 'html', bytes, url: 'https://docs.example.org/' });
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    if (!/content-engine\/html\//.test(url)) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}

const NOTE = '<li id="fn-0">Note</li>';
const nested = (open: string, text: string) => (n: number) => open.repeat(n) + text;

const SHAPES: Readonly<Record<string, (n: number) => string>> = {
  paragraphs: (n) => '<p>a <b>b</b> <a href="/x">c</a></p>'.repeat(n),
  headings: (n) => '<h2>Same title</h2><p id="x">a</p><a href="#x">x</a>'.repeat(n),
  'items of a list': (n) => `<ul>${'<li><p>a</p><p>b</p></li>'.repeat(n)}</ul>`,
  'rows of a table': (n) => `<table>${'<tr><td>a</td><td><p>b</p></td></tr>'.repeat(n)}</table>`,
  'cells of a row': (n) => `<table><tr>${'<td>a</td>'.repeat(n)}</tr></table>`,
  'lines of code': (n) =>
    `<div class="highlight"><pre>${'<span class="line">a</span>\n'.repeat(n)}</pre></div>`,
  admonitions: (n) =>
    '<div class="admonition note"><p class="admonition-title">A</p><p>b</p></div>'.repeat(n),
  tabs: (n) =>
    `<div role="tablist">${'<button role="tab">a</button>'.repeat(n)}</div>${'<div role="tabpanel"><p>b</p></div>'.repeat(n)}`,
  expandables: (n) =>
    '<div class="expand-container"><span class="expand-control">a</span><div class="expand-content">b</div></div>'.repeat(
      n,
    ),
  'expandables in one': (n) =>
    `<div class="expand-container">${'<div class="expand-container">x</div>'.repeat(n)}<span class="expand-control">a</span><div class="expand-content">b</div></div>`,
  definitions: (n) => `<dl>${'<dt class="sig" id="a">a</dt><dd>b</dd>'.repeat(n)}</dl>`,
  figures: (n) => '<figure><img src="a.png"><figcaption>b</figcaption></figure>'.repeat(n),
  footnotes: (n) =>
    `${'<sup><a href="#fn-0" class="footnote-ref">1</a></sup>'.repeat(n)}<ol class="footnotes">${NOTE}${'<li id="fn-1">x</li>'.repeat(n)}</ol>`,
  navigation: (n) => `<nav><ul>${'<li>a<ul><li><a href="/b">b</a></li></ul></li>'.repeat(n)}</ul></nav>`,
  navigations: (n) => '<nav><a href="/a">a</a></nav>'.repeat(n),
  'nested elements': nested('<div>', 'x'),
  'nested spans': nested('<span>', 'x'),
  'nested lists': (n) => '<ul><li>a'.repeat(n / 2),
  'nested quotes': nested('<blockquote>', 'note'),
  'nested admonitions': nested('<div class="admonition">', 'x'),
  'nested details': nested('<details><summary>a</summary>', 'x'),
};

describe('the time of a conversion is proportional to the size of the page', () => {
  it.each(Object.keys(SHAPES))('%s', async (name) => {
    const shape = SHAPES[name];
    if (!shape) throw new Error(name);
    await stepsOf(shape(500));
    const [small, large] = [await stepsOf(shape(1000)), await stepsOf(shape(4000))];
    expect(small).toBeGreaterThan(1000);
    expect(large / small).toBeLessThan(6);
  });
});
