import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { comparable } from '../../../../test/commonmark/compare.ts';
import { DEVIATIONS } from '../../../../test/commonmark/deviations.ts';
import { parseDocument } from '../../markdown/index.ts';
import { renderHtml } from './index.ts';

interface Example {
  readonly number: number;
  readonly section: string;
  readonly markdown: string;
  readonly html: string;
}

/** The examples of CommonMark 0.31.2, in which an arrow is a tab. */
const { tests } = createRequire(import.meta.url)('commonmark-spec') as { tests: Example[] };
const EXAMPLES = tests.map(({ markdown, html, ...rest }) => ({
  ...rest,
  markdown: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}));

const rendered = (markdown: string): string => comparable(renderHtml(parseDocument(markdown)).html);

const SECTIONS = [...new Set(EXAMPLES.map(({ section }) => section))];

describe('the examples of CommonMark', () => {
  it('are all there', () => {
    expect(EXAMPLES.length).toBe(652);
    const numbers = new Set(EXAMPLES.map(({ number }) => number));
    expect([...DEVIATIONS.keys()].filter((number) => !numbers.has(number))).toEqual([]);
  });

  it.each(SECTIONS)('hold: %s', (section) => {
    for (const { number, markdown, html } of EXAMPLES.filter((one) => one.section === section)) {
      const ours = { number, markdown, html: rendered(markdown) };
      const expected = { number, markdown, html: comparable(html) };
      if (DEVIATIONS.has(number)) expect(ours, 'a deviation that is none any more').not.toEqual(expected);
      else expect(ours).toEqual(expected);
    }
  });
});
