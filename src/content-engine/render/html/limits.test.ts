import { describe, expect, it, test } from 'vitest';
import { expandIncludes } from '../../evaluation/expand-includes.ts';
import { parseDocument, toMarkdown } from '../../markdown/index.ts';
import { renderHtml } from './index.ts';

const html = (markdown: string): string => renderHtml(parseDocument(markdown)).html;
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe('addresses in text', () => {
  it('are linked up to a limit, and text beyond it', () => {
    const shown = html('www.e.com '.repeat(5000));
    expect(occurrences(shown, '<a ')).toBe(2000);
    expect(occurrences(shown, 'www.e.com')).toBe(7000);
  });
});

describe('reusable contents', () => {
  const page = parseDocument('{% include "/reusable-content/one" %}\n\n'.repeat(100));
  it.each([
    ['one long paragraph', 'word '.repeat(300_000)],
    ['one long list', '- word\n'.repeat(10_000)],
    ['the longest list', '- word\n'.repeat(24_000)],
  ])('of %s are included up to a limit', (_what, text) => {
    const content = parseDocument(text);
    const reusableContentOf = () => content;
    const once = renderHtml(content).html.length;
    const shown = renderHtml(page, { reusableContentOf }).html;
    expect(shown.length).toBeGreaterThanOrEqual(once);
    expect(shown.length).toBeLessThan(4_000_000);
    const written = toMarkdown(expandIncludes(page, reusableContentOf));
    expect(written.length).toBeGreaterThanOrEqual(text.length - 1);
    expect(written.length).toBeLessThan(4_000_000);
  });
});

test('documents of any depth are rendered', () => {
  let block = parseDocument('* a').nodes[0];
  for (let depth = 0; depth < 1000; depth++)
    block = { object: 'block', type: 'blockquote', nodes: block ? [block] : [] };
  const shown = renderHtml({ object: 'document', nodes: block ? [block] : [] }).html;
  expect(occurrences(shown, '<blockquote>')).toBe(1000);
});

describe('formulas', () => {
  it('are shown as source where a page has too many elements of them', () => {
    const hostile = `$$\n\\def\\a{${'x'.repeat(100)}}${'\\a'.repeat(29)}\n$$\n\n`;
    const shown = html(`${hostile.repeat(150)}`);
    expect(occurrences(shown, '<math')).toBeLessThan(100);
    expect(occurrences(shown, '<math') + occurrences(shown, 'class="formula"')).toBe(150);
    expect(occurrences(html('$$a^2 + b^2$$\n\n'.repeat(1000)), '<math')).toBe(1000);
  });
});
