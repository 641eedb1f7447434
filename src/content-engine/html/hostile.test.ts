import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../../test/cpu-time.ts';
import { partOf } from '../../../test/exhaustive.ts';
import { convertPage } from './index.ts';

/** No structure of a page takes more than a small multiple of the time of an ordinary one of the same elements. */

const times = (count: number, html: string): string => html.repeat(count);

const EMPTY = times(30_000, '<i></i>');
const LINKS = '<a href="/a">a</a><a href="/b">b</a><a href="/c">c</a>';
const TEXTS = times(20_000, '<b>x</b> ');

/** The hostile page, and an ordinary one of the same size. */
const PAGES: Record<string, readonly [hostile: string, ordinary: string]> = {
  'headings in headings': [
    `<main><h1>T</h1>${times(1200, '<h2><div>')}${EMPTY}x`,
    `<main><h1>T</h1>${times(1200, '<h2><div></div></h2>')}<h2>${EMPTY}x`,
  ],
  'linked headings in headings': [
    `<main><h1>T</h1>${times(1200, '<h2><a href="#x">long</a><div>')}${EMPTY}x`,
    `<main><h1>T</h1>${times(1200, '<h2><a href="#x">long</a><div></div></h2>')}<h2>${EMPTY}x`,
  ],
  'headings in one wrapper': [
    `<main><h1>T</h1><div class="markdown-heading">${times(12_000, '<h2>x</h2>')}</div>`,
    `<main><h1>T</h1><div class="x">${times(12_000, '<h2>x</h2>')}</div>`,
  ],
  'headings behind spans': [
    `<h1>T</h1><section>t${times(16_000, '<span></span>')}${times(16_000, '<h2>x</h2>')}`,
    `<h1>T</h1><section>t${times(16_000, '<span></span><h2>x</h2>')}`,
  ],
  'articles without text': [
    `<body>${times(1200, '<article>')}${EMPTY}${times(1200, '</article>')}<p>x`,
    `<body>${times(1200, '<article></article>')}${EMPTY}<p>x`,
  ],
  'articles with text at their end': [
    `<body>${times(1200, '<article>')}${EMPTY}x`,
    `<body>${times(1200, '<article>x</article>')}${EMPTY}x`,
  ],
  'formulas in formulas': [
    `<p>${times(240, '<span class="math">')}${TEXTS}`,
    `<p>${times(240, '<span class="math"></span>')}${TEXTS}`,
  ],
  'formulas in formulas on lines of their own': [
    `<main><h1>T</h1>${times(240, '<div class="math">')}${TEXTS}`,
    `<main><h1>T</h1>${times(240, '<div class="math"></div>')}${TEXTS}`,
  ],
  'labels in labels of a navigation': [
    `<nav>${LINKS}${times(240, '<div><b>x</b>')}${TEXTS}</nav><main><h1>T</h1>x`,
    `<nav>${LINKS}${times(240, '<div><b>x</b></div>')}${TEXTS}</nav><main><h1>T</h1>x`,
  ],
};

function milliseconds(html: string): number {
  const bytes = new TextEncoder().encode(html);
  return cpuTimeOf(() =>
    convertPage({ kind: 'html', bytes, url: 'https://docs.example.org/guide/page.html' }),
  );
}

describe('hostile pages', () => {
  it.each(partOf(Object.entries(PAGES), 3, 0))('are converted in time: %s', (_name, [hostile, ordinary]) => {
    milliseconds(ordinary);
    const allowed = 3 * milliseconds(ordinary) + 100;
    // Repeated once, since the machine may be busy.
    const spent = milliseconds(hostile);
    expect(spent < allowed ? spent : milliseconds(hostile)).toBeLessThan(allowed);
  });
});
